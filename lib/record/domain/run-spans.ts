import type { Id } from '#lib/kernel/index.ts';
import type { RunEventType, RunEventView, RunView } from '#lib/supervisor/index.ts';
import { type Span, type SpanValue, spanIdOf, traceIdOf } from '#lib/telemetry/index.ts';

/** What spans are made of, beside the run and its calls. */
export const SPAN_EVENTS: readonly RunEventType[] = [
  'run-state',
  'AgentPlanProposed',
  'model-call',
  'handoff',
  'handoff-answered',
  'question-asked',
  'approval-requested',
];

/** Names of others that stand in a span's name, cut: a model may make up any. */
const NAME_LENGTH = 120;

/**
 * A run that has ended as one trace, from its record alone: the same wherever it was driven, however often it changed its
 * process (requirement H-30). Names are those of OpenTelemetry's conventions for generative AI, as of version 1.41; what is
 * ours begins with `bailiwick.`. Nothing that was said, asked or answered is in it, only names, times, counts and codes.
 */
export function spansOf(tenantId: Id<'tenant'>, run: RunView, events: readonly RunEventView[]): Span[] {
  const trace = new TraceBuilder(run.id as Id<'run'>, agentNameOf(run));
  const end = toMs(run.endedAt ?? run.createdAt);
  for (const agent of agentsOf(events)) trace.agents.push(agent.path);
  return [
    rootSpan(trace, { tenantId, run, end }),
    ...waitSpans(trace, { run, events, end }),
    ...planSpans(trace, events),
    ...agentsOf(events).map((agent) => trace.span(agent.path, { ...agent, name: `invoke_agent ${agent.name}`, endMs: agent.endMs ?? end })),
    ...modelSpans(trace, events),
    ...toolSpans(trace, run, end),
  ];
}

interface Made {
  readonly name: string;
  readonly kind?: Span['kind'];
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Span['attributes'];
  readonly events?: Span['events'];
  readonly isError?: boolean;
}

class TraceBuilder {
  readonly traceId: string;
  readonly agent: string;
  /** Paths of agents that others handed tasks to. */
  readonly agents: string[] = [];

  constructor(runId: Id<'run'>, agent: string) {
    this.traceId = traceIdOf(runId);
    this.agent = agent;
  }

  /** A span at `path` under the agent whose work it was. */
  span(path: string, { kind = 'internal', events = [], isError = false, ...made }: Made): Span {
    const { traceId } = this;
    const above = this.agents.filter((agent) => path.startsWith(`${agent}/`)).sort((a, b) => b.length - a.length)[0];
    const parentSpanId = path === '' ? null : spanIdOf(traceId, above ?? '');
    return { traceId, spanId: spanIdOf(traceId, path), parentSpanId, kind, events, isError, ...made };
  }
}

function rootSpan(trace: TraceBuilder, { tenantId, run, end }: { tenantId: Id<'tenant'>; run: RunView; end: number }): Span {
  const isError = run.state === 'FINISH_ERROR' || run.state === 'TIMEOUT';
  return trace.span('', {
    name: `invoke_agent ${trace.agent}`,
    startMs: toMs(run.createdAt),
    endMs: end,
    isError,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': trace.agent,
      'gen_ai.conversation.id': run.sessionId,
      ...(run.usage && usageAttributes(run.usage)),
      ...(isError && { 'error.type': run.error?.code ?? 'timeout' }),
      'bailiwick.tenant.id': tenantId,
      'bailiwick.run.id': run.id,
      'bailiwick.run.state': run.state,
      'bailiwick.run.path': run.path ?? 'none',
      'bailiwick.preset': run.preset,
      'bailiwick.processes': run.epoch,
    },
  });
}

/** The queue at first, and people later. */
function waitSpans(trace: TraceBuilder, { run, events, end }: { run: RunView; events: readonly RunEventView[]; end: number }): Span[] {
  const spans: Span[] = [];
  const wait = (what: string, startMs: number, endMs: number) =>
    spans.push(trace.span(`wait/${spans.length}`, { name: `wait ${what}`, startMs, endMs, attributes: { 'bailiwick.wait.for': what } }));
  const begun = run.startedAt === null ? end : toMs(run.startedAt);
  if (begun > toMs(run.createdAt)) wait('queue', toMs(run.createdAt), begun);
  let since: number | null = null;
  let what = 'person';
  for (const { type, at, payload } of events) {
    if (type === 'question-asked') what = 'question';
    if (type === 'approval-requested') what = 'approval';
    if (type !== 'run-state') continue;
    if (payload.to === 'WAITING') since = toMs(at);
    else if (since !== null) {
      wait(what, since, toMs(at));
      since = null;
    }
  }
  return spans;
}

/** From the moment the work began to the plan. */
function planSpans(trace: TraceBuilder, events: readonly RunEventView[]): Span[] {
  const planned = events.find(({ type }) => type === 'AgentPlanProposed');
  const begun = events.find(({ type, payload }) => type === 'run-state' && payload.to === 'RUNNING');
  if (!planned) return [];
  return [
    trace.span('plan', {
      name: `plan ${trace.agent}`,
      startMs: toMs((begun ?? planned).at),
      endMs: toMs(planned.at),
      attributes: { 'gen_ai.operation.name': 'plan', 'gen_ai.agent.name': trace.agent },
    }),
  ];
}

/** Agents that were handed a task; `endMs` is null where none has answered. */
function agentsOf(events: readonly RunEventView[]) {
  return events
    .filter(({ type }) => type === 'handoff')
    .map(({ at, payload }) => {
      const name = textOf(payload.to);
      const answered = events.find(({ type, payload: later }) => type === 'handoff-answered' && later.path === payload.path);
      return {
        path: `${textOf(payload.path)}/${name}`,
        name,
        startMs: toMs(at),
        endMs: answered ? toMs(answered.at) : null,
        attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
      };
    });
}

function modelSpans(trace: TraceBuilder, events: readonly RunEventView[]): Span[] {
  return events
    .filter(({ type }) => type === 'model-call')
    .map(({ at, payload }) => {
      const model = textOf(payload.model);
      const firstPartMs = payload.firstPartMs;
      return trace.span(textOf(payload.path), {
        name: `chat ${model.slice(0, NAME_LENGTH)}`,
        kind: 'client',
        startMs: toMs(at) - numberOf(payload.durationMs),
        endMs: toMs(at),
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': textOf(payload.provider),
          'gen_ai.request.model': model,
          'gen_ai.agent.name': textOf(payload.agentId),
          'gen_ai.response.finish_reasons': [textOf(payload.finishReason)],
          ...(isRecord(payload.usage) && usageAttributes(payload.usage)),
          ...(typeof firstPartMs === 'number' && { 'bailiwick.model.first_part_ms': firstPartMs }),
          'bailiwick.model.attempts': numberOf(payload.attempts),
          'bailiwick.model.scene': textOf(payload.scene),
        },
      });
    });
}

function toolSpans(trace: TraceBuilder, run: RunView, end: number): Span[] {
  return run.invocations.map((call) => {
    // What it waited for people is a span of its own.
    const begun = call.transitions.find(({ to }) => to === 'EXECUTING')?.at ?? call.requestedAt;
    return trace.span(call.path ?? call.id, {
      name: `execute_tool ${call.capabilityId.slice(0, NAME_LENGTH)}`,
      startMs: toMs(begun),
      endMs: call.finishedAt === null ? end : toMs(call.finishedAt),
      isError: call.error !== null,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': call.capabilityId.slice(0, NAME_LENGTH),
        'gen_ai.tool.call.id': call.id,
        ...(call.error && { 'error.type': call.error.code }),
        'bailiwick.tool.state': call.state,
        'bailiwick.tool.attempts': call.attempt,
        ...(call.capabilityVersion && { 'bailiwick.tool.version': call.capabilityVersion }),
      },
      events: call.transitions.map(({ to, at, attempt }) => ({
        name: to,
        atMs: toMs(at),
        attributes: { 'bailiwick.tool.attempt': attempt },
      })),
    });
  });
}

/** By the conventions, input and output are wholes, and what came from a cache is counted once more. */
function usageAttributes(usage: { readonly [name: string]: unknown }): { readonly [name: string]: SpanValue } {
  const cached = numberOf(usage.cachedInputTokens);
  const written = numberOf(usage.cacheWriteTokens);
  return {
    'gen_ai.usage.input_tokens': numberOf(usage.inputTokens) + cached + written,
    'gen_ai.usage.output_tokens': numberOf(usage.outputTokens) + numberOf(usage.reasoningTokens),
    ...(cached > 0 && { 'gen_ai.usage.cache_read.input_tokens': cached }),
    ...(written > 0 && { 'gen_ai.usage.cache_creation.input_tokens': written }),
  };
}

function agentNameOf(run: RunView): string {
  return run.graph ?? run.preset;
}

function toMs(instant: string): number {
  return Date.parse(instant);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
