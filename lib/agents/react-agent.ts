import { AppError, type Clock, faultPoint } from '#lib/kernel/index.ts';
import {
  type AssistantPart,
  countMessage,
  countTools,
  estimateTokens,
  estimateUsage,
  isRetryable,
  type LanguageModel,
  ModelError,
  type ModelPart,
  nextWaitMs,
  type PromptMessage,
  type ToolResultPart,
} from '#lib/models/index.ts';
import type { AgentDefinition } from './domain/agent.ts';
import { inFewWords } from './domain/in-few-words.ts';
import { parseArguments } from './domain/parse-arguments.ts';
import type { AgentTool, AgentVoice, CallBudget, ContextUse, ModelCallRecords, ModelResponse, PromptKeeper, ToolOutcome } from './ports.ts';

export interface AgentTurn {
  readonly definition: AgentDefinition;
  /** Base of the paths of everything this turn records. */
  readonly path: string;
  /** What the turn begins with, where no keeper knows it: then everything is sent, however much it is. */
  readonly messages?: readonly PromptMessage[];
  readonly keeper?: PromptKeeper;
  readonly tools: readonly AgentTool[];
  readonly model: LanguageModel;
  /** Asked in this order when the model fails before it has said anything. */
  readonly fallbacks?: readonly LanguageModel[];
  /** Which of the run's models `model` is; absent: the first. */
  readonly firstPlace?: number;
  /** Asked before each call; absent: none holds. */
  readonly budget?: CallBudget | null;
  readonly records: ModelCallRecords;
  readonly voice: AgentVoice;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly repairJson: (text: string) => string;
  /** Puts a call that names no tool on record. */
  readonly onUnknownTool: (name: string, path: string) => Promise<void>;
  /** Attempts at one model call; waits between them count as work. */
  readonly maxAttempts?: number;
}

/** How a turn ended. Limits, providers that fail and stops are thrown. */
export interface AgentAnswer {
  readonly text: string;
  readonly finishReason: ModelResponse['finishReason'];
}

const MAX_ATTEMPTS = 4;
/** Where another model stands by, it is not waited for long. */
const MAX_ATTEMPTS_BEFORE_NEXT = 2;

/**
 * One turn of a ReAct agent: call the model; no tool call means that its text is the answer; otherwise run the calls, show it
 * the results and call again (requirement H-03). It carries on from records, so it may be started again at any point.
 *
 * Ends with the text of the last call, which may be empty. Throws `limit_reached` when a limit is used up, `budget_exceeded`
 * when a budget has no room for the next call, `ModelError` when the provider failed for good, and what a tool throws (a fence, a run that must wait).
 */
export async function runAgent(turn: AgentTurn): Promise<AgentAnswer> {
  const { definition, tools } = turn;
  const since: PromptMessage[] = [];
  let toolCalls = 0;
  for (let call = 0; call < definition.limits.maxModelCalls; call += 1) {
    const response = await callModel(turn, since, call);
    if (response.calls.length === 0) return { text: textOf(response), finishReason: response.finishReason };
    toolCalls += response.calls.length;
    if (toolCalls > definition.limits.maxToolCalls) throw limitReached(definition, 'tool calls', definition.limits.maxToolCalls);
    since.push({ role: 'assistant', content: response.content });
    since.push({ role: 'tool', results: await runTools(turn, tools, response, call) });
  }
  throw limitReached(definition, 'model calls', definition.limits.maxModelCalls);
}

function limitReached(definition: AgentDefinition, of: string, limit: number): AppError {
  return new AppError({
    code: 'limit_reached',
    message: `limit reached: ${definition.id} may make ${limit} ${of} in a run`,
    details: { agent: definition.id, of, limit },
  });
}

/** Asks the model, and the next one where it fails for good before it has said anything. */
async function callModel(turn: AgentTurn, since: readonly PromptMessage[], call: number): Promise<ModelResponse> {
  const recorded = turn.records.find(`${turn.path}/m${call}`);
  if (recorded) return recorded;
  const models = [turn.model, ...(turn.fallbacks ?? [])];
  let hasBegun = false;
  for (const [place, model] of models.entries()) {
    const isLast = place === models.length - 1;
    const maxAttempts = isLast ? (turn.maxAttempts ?? MAX_ATTEMPTS) : MAX_ATTEMPTS_BEFORE_NEXT;
    try {
      const { tools, keeper } = turn;
      const fitted = await keeper?.fit({ since, tools, path: `${turn.path}/m${call}`, spec: model.spec, place });
      const prompt = fitted ?? { messages: [...(turn.messages ?? []), ...since], context: null };
      const placeInRun = place + (turn.firstPlace ?? 0);
      return await askModel(turn, prompt, { call, model, place: placeInRun, maxAttempts, onBegun: () => (hasBegun = true) });
    } catch (error) {
      if (isLast || hasBegun || !(error instanceof ModelError) || !isAnotherWorthAsking(error)) throw error;
    }
  }
  throw new ModelError({ kind: 'unreachable', message: 'No model was asked.' });
}

/** A stop is for all of them, a broken-off answer was begun, and what one finds wrong in a request the next would too. */
function isAnotherWorthAsking({ kind }: ModelError): boolean {
  return kind === 'unreachable' || kind === 'overloaded' || kind === 'rate-limited' || kind === 'unauthenticated';
}

async function askModel(
  turn: AgentTurn,
  prompt: { messages: readonly PromptMessage[]; context: ContextUse | null },
  {
    call,
    model,
    place,
    maxAttempts,
    onBegun,
  }: { call: number; model: LanguageModel; place: number; maxAttempts: number; onBegun: () => void },
): Promise<ModelResponse> {
  const path = `${turn.path}/m${call}`;
  const inputTokens = turn.budget ? tokensOf(prompt, turn.tools) : 0;
  const allowance = await turn.budget?.reserve({ path, agentId: turn.definition.id, spec: model.spec, place, inputTokens });
  const messages = allowance?.isConcise ? inFewWords(prompt.messages) : prompt.messages;
  const context = prompt.context && { ...prompt.context, ...(allowance?.isConcise && { isConcise: true }) };
  const maxOutputTokens = allowance?.maxOutputTokens ?? null;
  const startedAt = turn.clock.now();
  const started = performance.now();
  turn.voice.restart(call);
  for (let attempt = 1; ; attempt += 1) {
    const heard: ModelPart[] = [];
    let firstPartMs: number | null = null;
    faultPoint('model.calling');
    try {
      const request = { messages, tools: turn.tools, signal: turn.signal, path, ...(maxOutputTokens !== null && { maxOutputTokens }) };
      for await (const part of model.call(request)) {
        firstPartMs ??= performance.now() - started;
        heard.push(part);
        faultPoint('model.part');
        if (part.type === 'text-delta') turn.voice.text(call, part.text);
        if (part.type === 'reasoning-delta') turn.voice.reasoning(call, part.text);
      }
      const response = toResponse(heard, messages, turn.repairJson);
      faultPoint('model.answered');
      turn.records.record({
        path,
        agentId: turn.definition.id,
        provider: model.spec.provider,
        model: model.spec.model,
        place,
        sent: [...messages],
        context,
        response,
        startedAt,
        firstPartMs,
        durationMs: performance.now() - started,
        attempts: attempt,
      });
      return response;
    } catch (error) {
      // What has been said is not said again: only a call that had not begun to answer is repeated, here or elsewhere.
      if (heard.length > 0) onBegun();
      if (!(error instanceof ModelError) || !isRetryable(error) || heard.length > 0 || attempt >= maxAttempts) throw error;
      const waitMs = nextWaitMs({ next: attempt + 1, retryAfterMs: error.retryAfterMs, random: turn.random });
      if (waitMs === null) throw error;
      await pause(waitMs, turn.signal);
    }
  }
}

/** As whoever keeps the turn within its room has counted, else by our estimate. */
function tokensOf(
  { messages, context }: { messages: readonly PromptMessage[]; context: ContextUse | null },
  tools: readonly AgentTool[],
): number {
  if (context) return context.system + context.summary + context.history + context.tools;
  return messages.reduce((sum, message) => sum + countMessage(message, estimateTokens), countTools(tools, estimateTokens));
}

function toResponse(parts: readonly ModelPart[], messages: readonly PromptMessage[], repairJson: (text: string) => string): ModelResponse {
  const content: AssistantPart[] = [];
  const calls: { callId: string; toolName: string; argumentsText: string }[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') content.push({ type: 'text', text });
    text = '';
  };
  let finish: Extract<ModelPart, { type: 'finish' }> | null = null;
  for (const part of parts) {
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'reasoning') {
      flush();
      content.push(part.reasoning);
    }
    if (part.type === 'tool-call') {
      flush();
      const { callId, toolName, argumentsText } = part;
      calls.push({ callId, toolName, argumentsText });
      const parsed = parseArguments(argumentsText, repairJson);
      // A provider refuses history with arguments that are no object: an unreadable call goes back empty.
      content.push({ type: 'tool-call', callId, toolName, arguments: parsed.ok ? parsed.arguments : {} });
    }
    if (part.type === 'finish') finish = part;
  }
  flush();
  return {
    content,
    calls,
    finishReason: finish?.reason ?? 'interrupted',
    rawReason: finish?.rawReason ?? null,
    usage: finish?.usage ?? estimateUsage(messages, content),
  };
}

/** Calls of one answer run beside each other; when one has to wait or is fenced, the others finish first. */
async function runTools(turn: AgentTurn, tools: readonly AgentTool[], response: ModelResponse, call: number): Promise<ToolResultPart[]> {
  const settled = await Promise.allSettled(
    response.calls.map(async (requested, index): Promise<ToolResultPart> => {
      const outcome = await runTool(tools, turn, requested, `${turn.path}/m${call}/t${index}`);
      return { callId: requested.callId, toolName: requested.toolName, ...outcome };
    }),
  );
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function runTool(
  tools: readonly AgentTool[],
  turn: AgentTurn,
  requested: { callId: string; toolName: string; argumentsText: string },
  path: string,
): Promise<ToolOutcome> {
  const tool = tools.find((candidate) => candidate.name === requested.toolName);
  const parsed = parseArguments(requested.argumentsText, turn.repairJson);
  if (!tool) {
    await turn.onUnknownTool(requested.toolName, path);
    // Told what there is, a model corrects itself (known fault K6).
    return { text: `There is no tool ${requested.toolName}. There are: ${tools.map(({ name }) => name).join(', ')}.`, isError: true };
  }
  if (!parsed.ok) return { text: parsed.message, isError: true };
  return tool.run({ arguments: parsed.arguments, path, callId: requested.callId });
}

function textOf(response: ModelResponse): string {
  return response.content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new ModelError({ kind: 'aborted', message: 'The call was stopped.' }));
    const onAbort = () => {
      clearTimeout(timer);
      reject(new ModelError({ kind: 'aborted', message: 'The call was stopped.' }));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
