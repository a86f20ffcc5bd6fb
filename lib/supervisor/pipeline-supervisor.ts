import { z } from 'zod';
import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import { moveSession } from '#lib/conversations/index.ts';
import type { CompletedStage, Pipeline, PipelineCall, PipelineCallResult } from '#lib/graph/index.ts';
import { AppError, faultPoint, type JsonObject } from '#lib/kernel/index.ts';
import { type AnsweringCallInputs, invokeForAnswer } from './answering-call.ts';
import type { whyWithoutModel } from './domain/path-reason.ts';
import { proposePlan, type StageRecord, stageRecord, toPlanStage } from './domain/pipeline-plan.ts';
import type { SupervisorState } from './domain/supervisor-state.ts';
import { visibleTo } from './domain/visible-capabilities.ts';
import type { SettledOutcome } from './recorded-call.ts';
import { invokeSilently } from './silent-call.ts';

export interface PipelineRunInputs extends AnsweringCallInputs {
  readonly pipeline: Pipeline;
  readonly capabilities: readonly CapabilityMetadata[];
  readonly ontology: { readonly summary: string; readonly revision: string };
  readonly reason: ReturnType<typeof whyWithoutModel>;
  /** The model path was begun and failed before anything came of it. */
  readonly isFallback: boolean;
}

/**
 * Carries a run on by the pipeline of its preset (requirement P-20): each stage a record, each call through the invoker. A
 * stage that has its record does not run again, nor does a call that has ended. Throws `RunMustWait` when a person has to
 * decide, and what kept the answer from being said.
 */
export async function runPipelineSupervisor(inputs: PipelineRunInputs): Promise<SupervisorState> {
  const carrier = new PipelineCarrier(inputs);
  return carrier.run();
}

class PipelineCarrier {
  readonly #inputs: PipelineRunInputs;
  readonly #done: StageRecord[];
  readonly #visibleIds: ReadonlySet<string>;
  #made: number;
  /** How many calls were made when the last stage was done. */
  #madeBefore: number;
  #whyUnanswered: { readonly code: string; readonly message: string } | null = null;

  constructor(inputs: PipelineRunInputs) {
    this.#inputs = inputs;
    const { pipeline, records } = inputs;
    this.#done = pipeline.stages.flatMap(({ id }) => {
      const kept = records.nodes.get(`${pipeline.name}/${id}`);
      return kept ? [stageRecord.parse(kept)] : [];
    });
    this.#visibleIds = new Set(visibleTo(inputs.actor, inputs.capabilities).map(({ id }) => id));
    this.#made = Math.max(0, ...[...records.invocations.values()].map(({ step }) => step + 1));
    this.#madeBefore = this.#made;
  }

  async run(): Promise<SupervisorState> {
    const { pipeline, run, ontology, answer, signal, writer } = this.#inputs;
    if (!run.path || this.#inputs.isFallback) this.#announce();
    await pipeline.run({
      input: run.input,
      signal,
      host: {
        locale: run.locale,
        timeZone: run.timeZone,
        now: run.createdAt,
        mayCall: (id) => this.#visibleIds.has(id),
        call: (call, path, callSignal) => this.#call(call, path, callSignal),
        find: (path) => {
          const kept = this.#inputs.records.nodes.get(path);
          return kept && stageRecord.parse(kept).state;
        },
        record: (path, state, stage) => this.#record(path, state, stage),
      },
    });
    const plan = proposePlan(pipeline, this.#done, { isOver: true });
    writer.defer({ run: { plan } });
    const text = answer.whole();
    if (text === '' || this.#whyUnanswered) {
      const { code, message } = this.#whyUnanswered ?? { code: 'internal', message: `${pipeline.name} said nothing` };
      throw new AppError({ code: code === 'internal' ? 'internal' : 'capability_failed', message });
    }
    return {
      input: run.input,
      tenantId: run.tenantId,
      sessionId: run.sessionId,
      sessionPreset: run.preset,
      echo: text,
      supervisor_terminal: 'OK',
      ontology_summary: ontology.summary,
      ontology_revision: ontology.revision,
      pipeline_trace: plan.steps.map(({ capabilityId, rationale }) => ({ capabilityId, rationale, output: {} })),
      execution_plan: { intent: plan.intent, summary: plan.summary },
    };
  }

  #announce(): void {
    const { pipeline, run, ontology, reason, isFallback, writer, clock } = this.#inputs;
    const at = clock.now();
    const started: JsonObject = { message: run.input, preset: run.preset, ontology_revision: ontology.revision };
    writer.defer({
      run: {
        path: 'deterministic',
        graph: pipeline.name,
        pathReason: reason,
        ontologyRevision: ontology.revision,
        stepCount: pipeline.stages.length,
      },
      events: [
        { type: 'path-chosen', at, payload: { path: 'deterministic', graph: pipeline.name, ...reason } },
        { type: 'SUPERVISOR_RUN_START', at, payload: started },
        { type: 'STREAM_START', at, payload: { message: run.input } },
      ],
      session: {
        events: [
          { type: 'SUPERVISOR_RUN_START', payload: { runId: run.id, ...started } },
          isFallback ? moveSession('EXECUTING', 'PLANNING', reason.text) : moveSession('IDLE', 'PLANNING', 'a run has started'),
        ],
      },
      refuseWhenCancelled: true,
    });
  }

  /** A stage is done: its record, and what readers hear of it. The first one's report is what the run is after. */
  async #record(path: string, state: JsonObject, stage: CompletedStage): Promise<void> {
    const { pipeline, run, writer, clock } = this.#inputs;
    const isFirst = this.#done.length === 0;
    const kept = stageRecord.parse({ state, stage });
    this.#done.push(kept);
    const plan = proposePlan(pipeline, this.#done, { isOver: false });
    const at = clock.now();
    writer.defer({
      nodes: [{ path, output: kept }],
      run: { plan },
      events: [
        ...(isFirst ? [{ type: 'AgentPlanProposed' as const, at, payload: z.record(z.string(), z.json()).parse(plan) }] : []),
        { type: 'stage-completed', at, payload: { ...toPlanStage(pipeline, kept) } },
      ],
      ...(isFirst && {
        session: {
          events: [
            { type: 'AgentPlanProposed', payload: { runId: run.id, summary: plan.summary } },
            moveSession('PLANNING', 'EXECUTING', 'the plan is made'),
          ],
        },
      }),
    });
    // What a stage has read is on record with it, and is not read again. What it has only worked out costs nothing to repeat.
    if (this.#made > this.#madeBefore) await writer.flush();
    this.#madeBefore = this.#made;
    faultPoint('stage.done');
  }

  async #call(call: PipelineCall, path: string, signal: AbortSignal): Promise<PipelineCallResult> {
    const { records } = this.#inputs;
    const existing = records.invocations.get(path);
    const step = existing?.step ?? this.#made++;
    const outcome = call.isAnswer
      ? await invokeForAnswer(
          { ...this.#inputs, signal },
          { path, step, capabilityId: call.capabilityId, arguments: call.arguments, callsSoFar: step },
        )
      : await this.#read(call, path, step, signal);
    if (outcome.status === 'succeeded') return { status: 'succeeded', output: outcome.output, text: outcome.text };
    if (outcome.status !== 'refused' && outcome.status !== 'failed') throw new AppError({ code: 'timeout', message: 'aborted' });
    if (call.isAnswer) this.#whyUnanswered = { code: outcome.code, message: outcome.message };
    return { status: outcome.status, code: outcome.code, message: outcome.message };
  }

  /** A call whose text is for the stage, not for the reader. */
  async #read(call: PipelineCall, path: string, step: number, signal: AbortSignal): Promise<SettledOutcome> {
    if (signal.aborted) throw new AppError({ code: 'timeout', message: 'aborted' });
    const { capabilityId, arguments: given } = call;
    return invokeSilently({ ...this.#inputs, signal }, { path, step, capabilityId, arguments: given, callsSoFar: step });
  }
}
