import type { TimelineSpan } from './timeline-spans.ts';

/** What a run's time went to. They do not overlap and sum to the whole. */
export interface TimeSplit {
  readonly humanMs: number;
  readonly toolMs: number;
  readonly modelMs: number;
  readonly idleMs: number;
}

type Kind = 'human' | 'tool' | 'model';
const ORDER: readonly Kind[] = ['human', 'tool', 'model'];

/**
 * Splits a run's time: where several things went on at once it counts for a person before a tool before a model, so that a
 * model that only waited for its tool is not counted twice. The rest is idle: queue, back-off, bookkeeping.
 */
export function timeSplit(spans: readonly TimelineSpan[], totalMs: number): TimeSplit {
  const edges: { atMs: number; kind: Kind; step: 1 | -1 }[] = [];
  for (const span of spans) {
    for (const segment of span.segments) {
      const kind = kindOf(span, segment.kind);
      if (!kind) continue;
      edges.push({ atMs: segment.fromMs, kind, step: 1 }, { atMs: Math.min(segment.toMs ?? totalMs, totalMs), kind, step: -1 });
    }
  }
  edges.sort((a, b) => a.atMs - b.atMs);
  const open = { human: 0, tool: 0, model: 0 };
  const sums = { human: 0, tool: 0, model: 0 };
  let lastMs = 0;
  for (const { atMs, kind, step } of edges) {
    const now = ORDER.find((candidate) => open[candidate] > 0);
    if (now) sums[now] += Math.max(0, atMs - lastMs);
    lastMs = Math.max(lastMs, atMs);
    open[kind] += step;
  }
  const spent = sums.human + sums.tool + sums.model;
  return { humanMs: sums.human, toolMs: sums.tool, modelMs: sums.model, idleMs: Math.max(0, totalMs - spent) };
}

function kindOf(span: TimelineSpan, segment: TimelineSpan['segments'][number]['kind']): Kind | null {
  if (segment === 'person') return 'human';
  if (segment !== 'work') return null;
  if (span.kind === 'call') return 'tool';
  return span.kind === 'model' ? 'model' : null;
}
