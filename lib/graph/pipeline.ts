import type { JsonObject } from '#lib/kernel/index.ts';
import { type Channels, END, type NodeRecords, START, StateGraph } from './state-graph.ts';

/** One capability call that a stage asks for. */
export interface PipelineCall {
  readonly capabilityId: string;
  readonly arguments: JsonObject;
  /** Why, for the record. */
  readonly rationale: string;
  /** The text that the call returns is the answer of the run, or the next part of it. */
  readonly isAnswer?: boolean;
}

/** How it ended. A refusal or a failure is something to report, not a reason to stop. */
export type PipelineCallResult =
  | { readonly status: 'succeeded'; readonly output: JsonObject; readonly text: string }
  | { readonly status: 'refused' | 'failed'; readonly code: string; readonly message: string };

/** What a stage found, as people read it in the run's record. */
export interface StageReport {
  /** One line, in the language of the message. */
  readonly summary: string;
  /** What the request is after; the first stage says it. */
  readonly intent?: 'task' | 'help' | 'clarify' | 'unsupported';
  /** 0 to 1. */
  readonly confidence?: number;
  readonly reasons: readonly string[];
}

export interface StageContext {
  readonly locale: 'en' | 'zh-CN';
  readonly timeZone: string;
  /** When the message was sent, not now: a stage that runs again after a crash must come to the same. */
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Whether the person may use the capability here: nothing is suggested to them that would be refused. */
  readonly mayCall: (capabilityId: string) => boolean;
  /** Calls may run in parallel. Rejects only when the run ends or has to wait. */
  readonly call: (call: PipelineCall) => Promise<PipelineCallResult>;
}

/** One stage: reads the state, says what changes, and what it found. Whatever it does to the world goes through `call`. */
export interface Stage<State> {
  readonly id: string;
  readonly title: { readonly en: string; readonly 'zh-CN': string };
  readonly run: (
    state: Readonly<State>,
    context: StageContext,
  ) => Promise<{ readonly state: Partial<State>; readonly report: StageReport }>;
  /** The id of the stage after this one; absent, or null: the next in the list, or the end after the last. */
  readonly next?: (state: Readonly<State>) => string | null;
}

/** A stage that is done, with the calls it made, in order. */
export interface CompletedStage {
  readonly id: string;
  readonly report: StageReport;
  readonly calls: readonly { readonly capabilityId: string; readonly rationale: string }[];
}

/** What carries a pipeline: keeps its records and makes its calls. */
export interface PipelineHost extends Omit<StageContext, 'signal' | 'call'> {
  /** `path` is the call's key in the run: the stage and the number of the call in it. */
  readonly call: (call: PipelineCall, path: string, signal: AbortSignal) => Promise<PipelineCallResult>;
  /** The output of a stage that ended in an earlier process, by its path. */
  readonly find: (path: string) => JsonObject | undefined;
  /** `output` is what `find` must give back. */
  readonly record: (path: string, output: JsonObject, stage: CompletedStage) => Promise<void>;
}

/** A graph of stages that answers a message: what a preset of a plugin may run in place of the planner. */
export interface Pipeline {
  /** The graph's name in the record of a run. */
  readonly name: string;
  readonly stages: readonly { readonly id: string; readonly title: Stage<never>['title'] }[];
  /** Resolves once no stage is left. A stage with a record does not run again. */
  readonly run: (request: { readonly input: string; readonly host: PipelineHost; readonly signal: AbortSignal }) => Promise<void>;
}

/**
 * A pipeline from its stages, first to last. The state must be JSON: each stage's part of it is a record of the run.
 */
export function definePipeline<State extends object>(definition: {
  readonly name: string;
  readonly channels: Channels<State>;
  readonly begin: (input: string) => State;
  readonly stages: readonly Stage<State>[];
}): Pipeline {
  const { name, channels, begin, stages } = definition;
  return {
    name,
    stages: stages.map(({ id, title }) => ({ id, title })),
    async run({ input, host, signal }) {
      // The report travels beside the stage's output to where it is recorded.
      const completed = new Map<string, CompletedStage>();
      const graph = new StateGraph<State>(name, channels);
      for (const [index, stage] of stages.entries()) {
        graph.addNode(stage.id, async (state, node) => {
          const calls: { capabilityId: string; rationale: string }[] = [];
          const { state: output, report } = await stage.run(state, {
            locale: host.locale,
            timeZone: host.timeZone,
            now: host.now,
            mayCall: host.mayCall,
            signal: node.signal,
            call: (call) => {
              const path = `${name}/${node.path}/${calls.length}`;
              calls.push({ capabilityId: call.capabilityId, rationale: call.rationale });
              return host.call(call, path, node.signal);
            },
          });
          completed.set(node.path, { id: stage.id, report, calls });
          return output;
        });
        graph.addConditionalEdge(stage.id, (state) => stage.next?.(state) ?? stages[index + 1]?.id ?? END);
      }
      graph.addEdge(START, stages[0]?.id ?? END);
      const records: NodeRecords = {
        find: (path) => host.find(`${name}/${path}`),
        record: async (path, output) => {
          const stage = completed.get(path);
          if (stage) await host.record(`${name}/${path}`, output, stage);
        },
      };
      await graph.compile().run({ state: begin(input), records, signal });
    },
  };
}
