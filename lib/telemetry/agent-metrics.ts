import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { BoundedLabel } from './bounded-label.ts';

/** Tools and models that have series of their own in one process; what comes later is counted as `other`. */
const MOST_TOOLS = 200;
const MOST_MODELS = 50;

/** Stands for every name that no tool has: models make them up without end. */
const UNKNOWN_TOOL = 'unknown';

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** A call of a tool that has ended. */
export interface EndedToolCall {
  /** null: no tool has the name that was asked for. */
  readonly tool: string | null;
  /** null: it succeeded; else one of our error codes, or `aborted`. */
  readonly error: string | null;
  /** From the first attempt to the end; null where it was never begun. */
  readonly seconds: number | null;
}

/** A call of a model that has ended, one attempt at a time. */
export interface EndedModelCall {
  readonly provider: string;
  readonly model: string;
  readonly seconds: number;
  /** null: nothing came. */
  readonly firstPartSeconds: number | null;
  /** null: it answered to the end; else the kind of failure. */
  readonly error: string | null;
  /** In tokens, no token twice; null where the provider told none. */
  readonly usage: {
    readonly inputTokens: number;
    readonly cachedInputTokens: number;
    readonly cacheWriteTokens: number;
    readonly outputTokens: number;
    readonly reasoningTokens: number;
  } | null;
}

/** The metrics of requirement H-32 under the names it gives them. */
export function createAgentMetrics(registry: Registry) {
  const registers = [registry];
  const tools = new BoundedLabel(MOST_TOOLS);
  const models = new BoundedLabel(MOST_MODELS);
  const execution = new Histogram({
    name: 'agent_tool_execution',
    help: 'Seconds from the beginning of a tool call to its end, waits between attempts included.',
    labelNames: ['tool'],
    buckets: SECONDS,
    registers,
  });
  const success = new Counter({
    name: 'agent_tool_success',
    help: 'Tool calls that succeeded.',
    labelNames: ['tool'],
    registers,
  });
  const failure = new Counter({
    name: 'agent_tool_failure',
    help: 'Tool calls that failed or were refused, by error code.',
    labelNames: ['tool', 'error'],
    registers,
  });
  const modelCall = new Histogram({
    name: 'agent_model_call_seconds',
    help: 'Seconds from the request to a model to the end of its answer, one attempt at a time.',
    labelNames: ['provider', 'model'],
    buckets: SECONDS,
    registers,
  });
  const firstPart = new Histogram({
    name: 'agent_model_first_part_seconds',
    help: 'Seconds from the request to a model to the first part of its answer.',
    labelNames: ['provider', 'model'],
    buckets: SECONDS,
    registers,
  });
  const modelFailure = new Counter({
    name: 'agent_model_failure',
    help: 'Model calls that failed or were broken off, by kind.',
    labelNames: ['provider', 'model', 'error'],
    registers,
  });
  const tokens = new Counter({
    name: 'agent_model_tokens',
    help: 'Tokens that providers have reported, by class; no token is in two classes.',
    labelNames: ['provider', 'model', 'class'],
    registers,
  });
  return {
    queueDepth: new Gauge({
      name: 'agent_queue_depth',
      help: 'Runs of all tenants that wait for a place, as the database has them.',
      registers,
    }),
    activeSessions: new Gauge({
      name: 'agent_active_sessions',
      help: 'Sessions of all tenants with a run at work, as the database has them.',
      registers,
    }),

    recordToolCall({ tool, error, seconds }: EndedToolCall): void {
      const label = tool === null ? UNKNOWN_TOOL : tools.of(tool);
      if (seconds !== null) execution.observe({ tool: label }, seconds);
      if (error === null) success.inc({ tool: label });
      else failure.inc({ tool: label, error });
    },

    recordModelCall({ provider, model, seconds, firstPartSeconds, error, usage }: EndedModelCall): void {
      const labels = { provider, model: models.of(model) };
      modelCall.observe(labels, seconds);
      if (firstPartSeconds !== null) firstPart.observe(labels, firstPartSeconds);
      if (error !== null) modelFailure.inc({ ...labels, error });
      if (!usage) return;
      tokens.inc({ ...labels, class: 'input' }, usage.inputTokens);
      tokens.inc({ ...labels, class: 'cached-input' }, usage.cachedInputTokens);
      tokens.inc({ ...labels, class: 'cache-write' }, usage.cacheWriteTokens);
      tokens.inc({ ...labels, class: 'output' }, usage.outputTokens);
      tokens.inc({ ...labels, class: 'reasoning' }, usage.reasoningTokens);
    },
  };
}
