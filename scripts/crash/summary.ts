import type { PointResult } from './run-point.ts';

/** The value below which `percent` of all lie (nearest rank); null of none. */
export function percentile(values: readonly number[], percent: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}

export interface Spread {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly max: number | null;
}

export interface Summary {
  readonly points: number;
  readonly passed: number;
  readonly failed: number;
  readonly runs: number;
  readonly effects: number;
  readonly takenOver: number;
  readonly questions: number;
  readonly modelCalls: number;
  readonly lost: number;
  readonly doubled: number;
  readonly broken: number;
  readonly recoveryMs: Spread;
  readonly settledMs: Spread;
}

export function summarise(results: readonly PointResult[]): Summary {
  const sum = (valueOf: (result: PointResult) => number) => results.reduce((total, result) => total + valueOf(result), 0);
  const faults = (kind: string) => sum((result) => result.faults.filter((fault) => fault.kind === kind).length);
  const failed = results.filter((result) => result.faults.length > 0).length;
  return {
    points: results.length,
    passed: results.length - failed,
    failed,
    runs: sum((result) => result.runs),
    effects: sum((result) => result.effects),
    takenOver: sum((result) => result.takenOver),
    questions: sum((result) => result.questions),
    modelCalls: sum((result) => result.modelCalls),
    lost: faults('lost'),
    doubled: faults('doubled'),
    broken: faults('broken'),
    recoveryMs: spreadOf(results.map((result) => result.recoveryMs).filter((value) => value !== null)),
    settledMs: spreadOf(results.map((result) => result.settledMs)),
  };
}

function spreadOf(values: readonly number[]): Spread {
  return { p50: percentile(values, 50), p95: percentile(values, 95), max: percentile(values, 100) };
}

/** One line a point. */
export function lineOf({
  number,
  kind,
  seed,
  recoveryMs,
  settledMs,
  runs,
  takenOver,
  effects,
  questions,
  modelCalls,
  faults,
}: PointResult): string {
  const mark = faults.length === 0 ? '✓' : '✗';
  const counts = `${runs} runs, ${takenOver} taken over, ${effects} effects, ${questions} questions${modelCalls > 0 ? `, ${modelCalls} model calls` : ''}`;
  return `${mark} ${String(number).padStart(3)} ${kind.padEnd(40)} seed ${String(seed).padEnd(10)} recovered ${ms(recoveryMs)}  settled ${ms(settledMs)}  ${counts}`;
}

export function tableOf(summary: Summary): string {
  return [
    `points    ${summary.points}: ${summary.runs} runs, ${summary.takenOver} taken over, ${summary.effects} effects, ${summary.questions} questions asked, ${summary.modelCalls} model calls`,
    `lost      ${summary.lost}`,
    `doubled   ${summary.doubled}`,
    `broken    ${summary.broken}`,
    `recovery  ${spoken(summary.recoveryMs)}   (crash to the last cut-off run carried on)`,
    `settled   ${spoken(summary.settledMs)}   (crash to nothing left to do)`,
  ].join('\n');
}

function spoken({ p50, p95, max }: Spread): string {
  return `p50 ${ms(p50)}  p95 ${ms(p95)}  max ${ms(max)}`;
}

function ms(value: number | null): string {
  return value === null ? '      -' : `${value} ms`.padStart(7);
}
