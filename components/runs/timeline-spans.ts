import type { Tone } from '#components/ui/state-glyph.tsx';
import type { InvocationHead, TracedRun } from '#lib/record/contract.ts';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import { modelActivity } from './model-activity.ts';
import { invocationTone } from './run-tones.ts';

/** A stretch of a span: work, a pause before another attempt, or a person being waited for. */
export interface SpanSegment {
  kind: 'work' | 'retry' | 'person' | 'queue';
  /** Milliseconds since the run was asked for. `toMs` is null while it goes on. */
  fromMs: number;
  toMs: number | null;
  tone: Tone;
  /** Which attempt of a call, from 1; 0 where there are none. */
  attempt: number;
}

/** One row of a run's timeline. */
export interface TimelineSpan {
  /** An invocation's or question's id, `model-<seq>`, or `queue`, `plan`, `answer`. */
  id: string;
  kind: 'queue' | 'plan' | 'model' | 'call' | 'question' | 'answer';
  capabilityId: string | null;
  /** Whose call of a model it is. */
  agentId?: string;
  /** Where in the run it stands; absent for what belongs to the run as a whole. */
  path?: string;
  tone: Tone;
  fromMs: number;
  toMs: number | null;
  segments: readonly SpanSegment[];
}

/** What a picture needs of a run: its calls may come without their content. */
export type RunShape = Omit<TracedRun, 'viewing' | 'revealedUntil'>;

/** The rows of a run's timeline in the order in which they began. */
export function timelineSpans(run: RunShape, events: readonly RunEventView[]): TimelineSpan[] {
  const origin = Date.parse(run.createdAt);
  const since = (at: string) => Math.max(0, Date.parse(at) - origin);
  const endMs = run.endedAt === null ? null : since(run.endedAt);
  const spans = [
    queueSpan(run, since, endMs),
    planSpan(run, events, since),
    ...modelSpans(events, since),
    ...run.invocations.map((invocation) => callSpan(invocation, since, endMs)),
    ...questionSpans(events, since, endMs),
    answerSpan(events, since, endMs),
  ];
  return spans.filter((span) => span !== null).sort((a, b) => a.fromMs - b.fromMs);
}

type Since = (at: string) => number;

function queueSpan(run: RunShape, since: Since, endMs: number | null): TimelineSpan | null {
  const toMs = run.startedAt === null ? endMs : since(run.startedAt);
  if (toMs === 0) return null;
  return whole({ id: 'queue', kind: 'queue', tone: 'queued', fromMs: 0, toMs }, 'queue');
}

function planSpan(run: RunShape, events: readonly RunEventView[], since: Since): TimelineSpan | null {
  const proposed = events.find(({ type }) => type === 'AgentPlanProposed');
  if (!proposed) return null;
  const toMs = since(proposed.at);
  const begun = events.findLast(({ type, seq }) => (type === 'SUPERVISOR_RUN_START' || type === 'run-state') && seq < proposed.seq);
  const fromMs = Math.min(toMs, since(run.startedAt ?? begun?.at ?? proposed.at));
  return whole({ id: 'plan', kind: 'plan', tone: 'ok', fromMs, toMs }, 'work');
}

/** A call of a model is logged when it has ended. */
function modelSpans(events: readonly RunEventView[], since: Since): TimelineSpan[] {
  return modelActivity(events).calls.map(({ seq, at, agentId, durationMs, finishReason, path }) => {
    const toMs = since(at);
    const tone = finishReason === 'refusal' || finishReason === 'interrupted' ? 'error' : 'ok';
    return { ...whole({ id: modelSpanId(seq), kind: 'model', tone, fromMs: Math.max(0, toMs - durationMs), toMs }, 'work'), agentId, path };
  });
}

/** The id under which a call of a model can be selected, by the place of its entry in the log. */
export function modelSpanId(seq: number): string {
  return `model-${seq}`;
}

function callSpan(invocation: InvocationHead, since: Since, endMs: number | null): TimelineSpan {
  const fromMs = since(invocation.requestedAt);
  const toMs = invocation.finishedAt === null ? endMs : since(invocation.finishedAt);
  const segments: SpanSegment[] = [];
  for (const [index, transition] of invocation.transitions.entries()) {
    if (transition.to !== 'EXECUTING' && transition.to !== 'RETRY_WAIT') continue;
    const next = invocation.transitions[index + 1];
    const isRetry = transition.to === 'RETRY_WAIT';
    segments.push({
      kind: isRetry ? 'retry' : 'work',
      fromMs: since(transition.at),
      toMs: next ? since(next.at) : toMs,
      tone: isRetry ? 'warn' : next ? (next.to === 'SUCCEEDED' ? 'ok' : 'error') : invocationTone(invocation.state),
      attempt: transition.attempt,
    });
  }
  const span = { id: invocation.id, kind: 'call' as const, tone: invocationTone(invocation.state), fromMs, toMs };
  const path = invocation.path === undefined ? {} : { path: invocation.path };
  return { ...whole(span, 'work'), ...path, capabilityId: invocation.capabilityId, ...(segments.length > 0 ? { segments } : {}) };
}

function questionSpans(events: readonly RunEventView[], since: Since, endMs: number | null): TimelineSpan[] {
  return events
    .filter(({ type }) => type === 'question-asked')
    .map((asked) => {
      const id = String(asked.payload['id']);
      const answered = events.find(({ type, payload }) => type === 'question-answered' && payload['questionId'] === id);
      const fromMs = since(asked.at);
      return whole(
        { id, kind: 'question', tone: answered ? 'ok' : 'waiting', fromMs, toMs: answered ? since(answered.at) : endMs },
        'person',
      );
    });
}

function answerSpan(events: readonly RunEventView[], since: Since, endMs: number | null): TimelineSpan | null {
  const first = events.find(({ type }) => type === 'text-delta' || type === 'ModelResponseProduced');
  if (!first) return null;
  const produced = events.findLast(({ type }) => type === 'ModelResponseProduced');
  const fromMs = since(first.at);
  return whole(
    { id: 'answer', kind: 'answer', tone: produced ? 'ok' : 'active', fromMs, toMs: produced ? since(produced.at) : endMs },
    'work',
  );
}

function whole(span: Pick<TimelineSpan, 'id' | 'kind' | 'tone' | 'fromMs' | 'toMs'>, kind: SpanSegment['kind']): TimelineSpan {
  const { fromMs, toMs, tone } = span;
  return { ...span, capabilityId: null, segments: [{ kind, fromMs, toMs, tone: kind === 'person' ? 'waiting' : tone, attempt: 0 }] };
}

/** A stretch of time that the picture leaves out. */
export interface Gap {
  fromMs: number;
  toMs: number;
}

/** Where nothing was done but wait, for a slot or for a person; such time may be left out of the picture. */
export function waitingGaps(spans: readonly TimelineSpan[], nowMs: number): Gap[] {
  const all = spans.flatMap(({ segments }) => segments.map((segment) => ({ ...segment, toMs: segment.toMs ?? nowMs })));
  const work = all.filter((segment) => !isWaiting(segment) && segment.toMs > segment.fromMs);
  const gaps: Gap[] = [];
  for (const wait of all.filter(isWaiting).sort((a, b) => a.fromMs - b.fromMs)) {
    // Work beside a wait is kept in the picture: only what lies free of it goes.
    let from = Math.max(wait.fromMs, gaps.at(-1)?.toMs ?? 0);
    for (const { fromMs, toMs } of work.toSorted((a, b) => a.fromMs - b.fromMs)) {
      if (toMs <= from || fromMs >= wait.toMs) continue;
      if (fromMs > from) gaps.push({ fromMs: from, toMs: fromMs });
      from = Math.max(from, toMs);
    }
    if (wait.toMs > from) gaps.push({ fromMs: from, toMs: wait.toMs });
  }
  return gaps;
}

function isWaiting({ kind }: SpanSegment): boolean {
  return kind === 'person' || kind === 'queue';
}

/** Maps time to 0..1 over `totalMs`, with the gaps taken out. */
export function timeScale(totalMs: number, gaps: readonly Gap[]): { shownMs: number; at: (ms: number) => number } {
  const shown = (ms: number) => ms - gaps.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(ms, toMs) - fromMs), 0);
  const shownMs = Math.max(1, shown(totalMs));
  return { shownMs, at: (ms) => Math.min(1, Math.max(0, shown(ms) / shownMs)) };
}

/** Round instants to mark on an axis that shows this stretch. */
export function axisTicks({ fromMs, toMs, count }: { fromMs: number; toMs: number; count: number }): number[] {
  const rough = (toMs - fromMs) / count;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const ticks: number[] = [];
  for (let tick = Math.ceil(fromMs / step) * step; tick <= toMs; tick += step) ticks.push(tick);
  return ticks;
}
