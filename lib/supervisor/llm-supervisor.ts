import {
  type AgentDefinition,
  type AgentTool,
  type CallBudget,
  type ModelCallRecords,
  runAgent,
  SUPERVISOR_ID,
} from '#lib/agents/index.ts';
import type { AssembledContext, RememberedConversation } from '#lib/context/index.ts';
import { agentIdOf, moveSession, openConversation } from '#lib/conversations/index.ts';
import { END, START, StateGraph } from '#lib/graph/index.ts';
import { AppError, faultPoint, type JsonObject } from '#lib/kernel/index.ts';
import {
  costMicros,
  type LanguageModel,
  type Price,
  type PricedModel,
  type PromptMessage,
  type TokenCalibration,
  type TokenCounters,
  totalTokens,
} from '#lib/models/index.ts';
import { type CapabilityCallInputs, CapabilityCalls } from './capability-calls.ts';
import { ConversationKeeper, type KeeperInputs } from './conversation-keeper.ts';
import { exposeDelegate, systemPromptOf } from './domain/answerer.ts';
import { type PromptFragment, promptEvent, promptOf, promptSizes } from './domain/prompt-record.ts';
import { SILENT } from './domain/silent-voice.ts';
import { type SupervisorState, supervisorChannels } from './domain/supervisor-state.ts';
import { SupervisorVoice, type VoiceInputs } from './supervisor-voice.ts';

export const LLM_GRAPH = 'platform_supervisor';

export interface LlmInputs extends CapabilityCallInputs, VoiceInputs {
  readonly run: CapabilityCallInputs['run'];
  readonly ontology: { readonly summary: string; readonly revision: string };
  /** Answers the person; its records stand under the platform supervisor's path, whichever agent it is. */
  readonly agent: AgentDefinition;
  /** Whom it may hand tasks to. */
  readonly specialists: readonly AgentDefinition[];
  readonly context: AssembledContext;
  /** What was said in this session before. */
  readonly remembered: RememberedConversation;
  readonly counters: TokenCounters;
  readonly calibration: TokenCalibration;
  readonly log: KeeperInputs['log'];
  readonly model: LanguageModel;
  /** What the model at a place costs at an instant; null: not known. */
  readonly priceOf: (place: number, at: Date) => Price | null;
  /** Asked in this order when the model fails before it has said anything. */
  readonly fallbacks: readonly PricedModel[];
  /** null: no budget holds for this run. */
  readonly budget: CallBudget | null;
  readonly random: () => number;
  readonly repairJson: (text: string) => string;
}

/**
 * Carries the model path on from the run's records (requirement P-03): the routing agent `platform_supervisor` with the
 * person's text, the capabilities they may use and the specialists to hand tasks to. Everything any of them does to the world
 * goes through the invoker. Throws what `runAgent` throws, and `RunMustWait` when a person has to decide.
 */
export async function runLlmSupervisor(inputs: LlmInputs): Promise<SupervisorState> {
  const { run, records, writer } = inputs;
  const graph = new StateGraph<SupervisorState>(LLM_GRAPH, supervisorChannels)
    .addNode(SUPERVISOR_ID, () => answerWithAgents(inputs))
    .addEdge(START, SUPERVISOR_ID)
    .addEdge(SUPERVISOR_ID, END)
    .compile();
  return graph.run({
    state: { input: run.input, tenantId: run.tenantId, sessionId: run.sessionId, sessionPreset: run.preset },
    records: {
      find: (path) => records.nodes.get(path),
      record: async (path, output) => writer.defer({ nodes: [{ path, output }] }),
    },
    signal: inputs.signal,
  });
}

async function answerWithAgents(inputs: LlmInputs): Promise<Partial<SupervisorState>> {
  const { run, ontology, context, answer, agent } = inputs;
  if (!run.path) announce(inputs);
  const calls = new CapabilityCalls(inputs);
  const prompt = promptOfSupervisor(inputs);
  const voice = new SupervisorVoice(inputs);
  const { summary, turns } = inputs.remembered;
  const conversation = openConversation({
    system: systemPromptOf(agent, context.text),
    request: run.input,
    summary,
    turns: turns.map(({ runId, user, assistant, isPinned }) => ({
      id: runId,
      isPinned,
      messages: [
        { role: 'user', content: user },
        { role: 'assistant', content: [{ type: 'text', text: assistant }] },
      ],
    })),
  });
  const seqOf = new Map(turns.map(({ runId, seq }) => [runId, seq]));
  const keeper = keeperOf(inputs, { path: SUPERVISOR_ID, agentId: agentIdOf(run.preset), conversation, seqOf });
  try {
    const { finishReason } = await runAgent({
      definition: agent,
      path: SUPERVISOR_ID,
      keeper,
      tools: [...calls.toolsFor(agent.tools), delegateTool(inputs, calls)],
      model: inputs.model,
      fallbacks: inputs.fallbacks.map(({ model }) => model),
      budget: inputs.budget,
      records: recordsOf(inputs, { prompt, request: run.input }, () => voice.flush()),
      voice,
      clock: inputs.clock,
      signal: inputs.signal,
      random: inputs.random,
      repairJson: inputs.repairJson,
      onUnknownTool: (name, path) => calls.reject(name, path),
    });
    voice.flush();
    const text = answer.whole();
    if (text === '' && finishReason === 'refusal') throw new AppError({ code: 'model_failed', message: 'The model refused to answer.' });
    return {
      echo: text,
      supervisor_terminal: text === '' ? 'EMPTY_STATE' : 'OK',
      ontology_summary: ontology.summary,
      ontology_revision: ontology.revision,
      pipeline_trace: calls.trace(),
      conversation_history: [
        { role: 'USER', content: run.input },
        { role: 'ASSISTANT', content: text },
      ],
    };
  } finally {
    voice.flush();
  }
}

function promptOfSupervisor({ agent, context, run }: LlmInputs): PromptFragment[] {
  return promptOf({ agent, context: context.fragments, request: { from: 'user', text: run.input } });
}

/** The run's first words: which path and why, and the prompt by contributor. */
function announce(inputs: LlmInputs): void {
  const { run, ontology, agent, model, writer, clock } = inputs;
  const at = clock.now();
  const started: JsonObject = { message: run.input, preset: run.preset, ontology_revision: ontology.revision };
  const reason = { code: 'model', text: `${model.spec.provider}: ${model.spec.model}` };
  writer.defer({
    run: { path: 'llm', graph: LLM_GRAPH, pathReason: reason, ontologyRevision: ontology.revision },
    events: [
      { type: 'path-chosen', at, payload: { path: 'llm', graph: LLM_GRAPH, ...reason } },
      { type: 'SUPERVISOR_RUN_START', at, payload: started },
      { type: 'context-assembled', at, payload: promptEvent({ path: SUPERVISOR_ID, agentId: agent.id }, promptOfSupervisor(inputs)) },
      { type: 'STREAM_START', at, payload: { message: run.input } },
    ],
    session: {
      events: [
        { type: 'SUPERVISOR_RUN_START', payload: { runId: run.id, ...started } },
        moveSession('IDLE', 'PLANNING', 'a run has started'),
        moveSession('PLANNING', 'EXECUTING', 'the model has the request'),
      ],
    },
    refuseWhenCancelled: true,
  });
}

/**
 * Records of a turn that began with `prompt`. `beforeRecord` puts what the call has said on its way: a recorded call is not
 * heard again.
 */
function recordsOf(
  { records, writer, priceOf, budget, clock, run, calibration }: LlmInputs,
  turn: { readonly prompt: readonly PromptFragment[]; readonly request: string; readonly scene?: 'summary' },
  beforeRecord: () => void,
): ModelCallRecords {
  const { prompt, request, scene = 'answer' } = turn;
  return {
    find: (path) => records.modelCalls.get(path),
    record({ sent, place, ...call }) {
      beforeRecord();
      const { context } = call;
      if (context?.estimatedTokens) {
        const seen = { estimatedTokens: context.estimatedTokens, usage: call.response.usage };
        calibration.learn({ tenantId: run.tenantId, provider: call.provider, model: call.model }, seen);
      }
      const price = priceOf(place, call.startedAt);
      const micros = costMicros(call.response.usage, price);
      const cost = micros === null || !price ? null : { micros, currency: price.currency };
      const { path, agentId, provider, model, attempts, response } = call;
      const payload: JsonObject = {
        path,
        agentId,
        provider,
        model,
        attempts,
        // Who answered in the place of the first.
        ...(place > 0 && { fallback: place }),
        durationMs: Math.round(call.durationMs),
        firstPartMs: call.firstPartMs === null ? null : Math.round(call.firstPartMs),
        finishReason: response.finishReason,
        toolCalls: response.calls.length,
        usage: { ...response.usage },
        cost,
        prompt: promptSizes(prompt, sent.slice(lastRequest(sent, request) + 1).map(sizeOf)),
        scene,
        context: context && { ...context },
      };
      writer.defer({
        modelCalls: [{ ...call, cost, scene }],
        ...(budget && { settlesBudgets: true }),
        events: [{ type: 'model-call', at: clock.now(), payload }],
        audit: [
          {
            type: 'model.called',
            target: { kind: 'model', id: `${provider}/${model}` },
            runId: run.id,
            details: { path, agentId, scene, tokens: totalTokens(response.usage), cost },
          },
        ],
      });
    },
  };
}

/** Behind it stands what was said in this turn. */
function lastRequest(sent: readonly PromptMessage[], request: string): number {
  return sent.findLastIndex((message) => message.role === 'user' && message.content === request);
}

function keeperOf(inputs: LlmInputs, turn: ConstructorParameters<typeof ConversationKeeper>[1]): ConversationKeeper {
  const summaryRecords = recordsOf(inputs, { prompt: [], request: '', scene: 'summary' }, () => undefined);
  const fallbacks = inputs.fallbacks.map(({ model }) => model);
  return new ConversationKeeper({ ...inputs, fallbacks, summaryRecords }, turn);
}

function sizeOf(message: PromptMessage): { characters: number } {
  if (message.role === 'system' || message.role === 'user') return { characters: message.content.length };
  if (message.role === 'tool') return { characters: message.results.reduce((sum, { text }) => sum + text.length, 0) };
  const sizes = message.content.map((part) => (part.type === 'tool-call' ? JSON.stringify(part.arguments) : part.text).length);
  return { characters: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Hands a task to a specialist, which acts through the same capabilities and the same records. */
function delegateTool(inputs: LlmInputs, calls: CapabilityCalls): AgentTool {
  const { writer, clock, specialists } = inputs;
  return {
    ...exposeDelegate(specialists),
    async run({ arguments: args, path }) {
      const specialist = specialists.find((agent) => agent.id === args.agent);
      const task = typeof args.task === 'string' ? args.task.trim() : '';
      // Told what is possible, the router corrects itself.
      if (!specialist)
        return {
          text: `There is no specialist ${JSON.stringify(args.agent ?? null)}. There are: ${specialists.map(({ id }) => id).join(', ')}.`,
          isError: true,
        };
      if (task === '') return { text: 'Say what the specialist should do in `task`.', isError: true };
      const base = `${path}/${specialist.id}`;
      // A driver that takes the run on goes the same way again, and readers have heard of it.
      const prompt = promptOf({ agent: specialist, context: [], request: { from: SUPERVISOR_ID, text: task } });
      if (!inputs.records.modelCalls.has(`${base}/m0`)) {
        const at = clock.now();
        writer.defer({
          events: [
            { type: 'handoff', at, payload: { path, from: SUPERVISOR_ID, to: specialist.id, task } },
            { type: 'context-assembled', at, payload: promptEvent({ path: base, agentId: specialist.id }, prompt) },
          ],
        });
      }
      let isAnswerNew = false;
      const conversation = openConversation({ system: specialist.instructions, request: task });
      const { text } = await runAgent({
        definition: specialist,
        path: base,
        keeper: keeperOf(inputs, { path: base, agentId: specialist.id, conversation, seqOf: new Map() }),
        tools: calls.toolsFor(specialist.tools),
        model: inputs.model,
        fallbacks: inputs.fallbacks.map(({ model }) => model),
        budget: inputs.budget,
        records: recordsOf(inputs, { prompt, request: task }, () => {
          isAnswerNew = true;
        }),
        voice: SILENT,
        clock,
        signal: inputs.signal,
        random: inputs.random,
        repairJson: inputs.repairJson,
        onUnknownTool: (name, at) => calls.reject(name, at),
      });
      faultPoint('handoff.answered');
      if (isAnswerNew)
        writer.defer({ events: [{ type: 'handoff-answered', at: clock.now(), payload: { path, agent: specialist.id, text } }] });
      return { text, isError: false };
    },
  };
}
