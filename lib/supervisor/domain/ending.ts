import { moveSession } from '#lib/conversations/index.ts';
import { newId } from '#lib/kernel/index.ts';
import type { Boundary, RunEventEntry } from './boundary.ts';
import type { Locale, Run, Terminal } from './run.ts';
import type { StoppedWork } from './stopped-work.ts';

/** How a run ends, and with which text. */
export interface Ending {
  readonly terminal: Terminal;
  /** What readers have, before the sentence that says why it ended. */
  readonly text: string;
  readonly at: Date;
  readonly error?: { readonly code: string; readonly message: string };
  readonly workedMs?: number;
  /** Of a run that a model planned as it went: what it called. */
  readonly stepCount?: number;
  readonly callsSucceeded?: number;
  readonly callsFailed?: number;
  /** For a stop: who asked for it, and what it found. */
  readonly stopped?: StoppedWork & { readonly by: string | null };
  readonly exchange?: Boundary['exchange'];
}

/**
 * The last write of a run: state, events, transcript and audit together (requirements P-12 to P-14). The log always ends
 * with STREAM_DONE, so that a reader knows.
 */
export function endBoundary(run: Run, ending: Ending): Boundary {
  const { terminal, at } = ending;
  const note = noteOf(run.locale, ending);
  const text = [ending.text, note].filter(Boolean).join('\n\n');
  const messageState = terminal === 'FINISH_OK' ? 'complete' : terminal === 'CANCELLED' ? 'stopped' : 'failed';
  return {
    run: {
      state: terminal,
      answer: text,
      endedAt: at,
      ...(ending.error && { error: ending.error }),
      ...(ending.workedMs !== undefined && { workedMs: ending.workedMs }),
      ...(ending.stepCount !== undefined && { stepCount: ending.stepCount }),
      ...(ending.callsSucceeded !== undefined && { callsSucceeded: ending.callsSucceeded }),
      ...(ending.callsFailed !== undefined && { callsFailed: ending.callsFailed }),
    },
    events: [
      { type: 'ModelResponseProduced', at, payload: { text } },
      outcomeEvent(run, ending),
      { type: 'run-state', at, payload: { from: run.state, to: terminal, reason: ending.error?.message ?? reasonOf(terminal) } },
      ...(terminal === 'FINISH_OK' ? [{ type: 'AgentTurnCompleted', at, payload: { runId: run.id } } as const] : []),
      { type: 'STREAM_DONE', at, payload: { terminal } },
    ],
    audit: [
      {
        type: 'run.finished',
        target: { kind: 'run', id: run.id },
        runId: run.id,
        details: { terminal, ...(ending.error && { error: ending.error }), ...(ending.stopped && { stopped: { ...ending.stopped } }) },
      },
    ],
    session: run.parentRunId === null ? sessionAfter(run, ending) : taskSessionAfter(run, ending),
    message: { id: newId('message'), text, state: messageState },
    ...(ending.exchange && { exchange: ending.exchange }),
  };
}

/** A run that never began has left its session alone, which may be at work on another. */
function sessionAfter(run: Run, ending: Ending): NonNullable<Boundary['session']> {
  const { terminal } = ending;
  const outcome = outcomeEvent(run, ending);
  const from = run.state === 'WAITING' ? 'WAITING_USER' : 'EXECUTING';
  const hasBegun = run.epoch > 0;
  return {
    events: [
      { type: outcome.type, payload: { runId: run.id, ...outcome.payload } },
      ...(hasBegun ? [moveSession(from, 'IDLE', reasonOf(terminal))] : []),
      { type: 'STREAM_DONE', payload: { runId: run.id, terminal } },
    ],
  };
}

/** A session that was made for one task ends with it. */
function taskSessionAfter(run: Run, ending: Ending): NonNullable<Boundary['session']> {
  const { terminal } = ending;
  const outcome = outcomeEvent(run, ending);
  const from = run.epoch === 0 ? 'IDLE' : run.state === 'WAITING' ? 'WAITING_USER' : 'EXECUTING';
  const to = terminal === 'FINISH_OK' ? 'COMPLETED' : terminal === 'CANCELLED' ? 'CANCELLED' : 'FAILED';
  return {
    events: [
      { type: outcome.type, payload: { runId: run.id, ...outcome.payload } },
      moveSession(from, to, reasonOf(terminal)),
      { type: 'STREAM_DONE', payload: { runId: run.id, terminal } },
    ],
  };
}

function outcomeEvent(run: Run, ending: Ending): RunEventEntry {
  const { terminal, at } = ending;
  if (terminal === 'FINISH_OK') return { type: 'RUN_FINISH', at, payload: { terminal: 'OK' } };
  if (terminal === 'TIMEOUT') return { type: 'RUN_TIMEOUT', at, payload: { ms: run.timeLimitMs } };
  if (terminal === 'CANCELLED') {
    const { afterStep = null, sideEffects = [], cutOff = [], by = run.cancelRequestedBy } = ending.stopped ?? {};
    return { type: 'RUN_CANCELLED', at, payload: { by, afterStep, sideEffects, cutOff } };
  }
  if (ending.error?.message === EMPTY_GRAPH_STATE) return { type: 'RUN_FINISH', at, payload: { terminal: 'EMPTY_STATE' } };
  return { type: 'RUN_ERROR', at, payload: { error: ending.error?.message ?? 'unknown' } };
}

export const EMPTY_GRAPH_STATE = 'empty graph state';

function reasonOf(terminal: Terminal): string {
  return { FINISH_OK: 'answered', FINISH_ERROR: 'failed', TIMEOUT: 'the time limit is up', CANCELLED: 'stopped' }[terminal];
}

/** The honest end text: what happened and what a person can do next. */
function noteOf(locale: Locale, ending: Ending): string {
  const say = NOTES[locale];
  if (ending.terminal === 'TIMEOUT') return say.timeout;
  if (ending.terminal === 'FINISH_ERROR')
    return ending.text.includes(ending.error?.message ?? '\u0000') ? '' : say.failed(ending.error?.message ?? '');
  if (ending.terminal !== 'CANCELLED') return '';
  return stopNoteOf(say, ending.stopped);
}

/** The three ends of a stop: before a tool, after one, or with something that stays. A tool that was at work is named. */
function stopNoteOf(say: (typeof NOTES)[Locale], stopped: Ending['stopped']): string {
  const { afterStep = null, sideEffects = [], cutOff = [], mayHaveActed = [] } = stopped ?? {};
  const lasting = [
    ...(sideEffects.length > 0 ? [say.cannotBeUndone(sideEffects.join(say.between))] : []),
    ...(mayHaveActed.length > 0 ? [say.mayHaveActed(mayHaveActed.join(say.between))] : []),
  ];
  if (lasting.length > 0) return `_${[say.stopped, ...lasting].join(say.gap)}_`;
  if (cutOff.length > 0) return `_${say.cutOff(cutOff.join(say.between))}_`;
  return afterStep === null ? say.stoppedBefore : say.stoppedAfter;
}

const NOTES = {
  en: {
    timeout: '_The time limit was reached. What was found until then stands above._',
    failed: (reason: string) => `_This run failed: ${reason}_`,
    stoppedBefore: '_Stopped before a tool ran._',
    stoppedAfter: '_The tool finished, then the run was stopped._',
    stopped: 'Stopped.',
    gap: ' ',
    between: ', ',
    cannotBeUndone: (calls: string) => `What ${calls} did cannot be undone.`,
    mayHaveActed: (calls: string) => `${calls} was at work and may have had its effect, which cannot be undone: check it.`,
    cutOff: (calls: string) => `Stopped while ${calls} was at work. It changes nothing.`,
  },
  'zh-CN': {
    timeout: '_已到时限。以上是到此为止的结果。_',
    failed: (reason: string) => `_本次运行失败：${reason}_`,
    stoppedBefore: '_已停止，尚未执行任何工具。_',
    stoppedAfter: '_工具已执行完毕，随后停止。_',
    stopped: '已停止。',
    gap: '',
    between: '、',
    cannotBeUndone: (calls: string) => `${calls} 的结果无法撤销。`,
    mayHaveActed: (calls: string) => `${calls} 当时正在执行，可能已经生效且无法撤销，请核对。`,
    cutOff: (calls: string) => `已在 ${calls} 执行时停止；它不改变任何内容。`,
  },
} as const;
