import type { RunState } from '#lib/supervisor/contract.ts';

const TERMINAL: readonly RunState[] = ['FINISH_OK', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'];

/** Whether a run in this state is over. */
export function hasEnded(state: RunState): boolean {
  return TERMINAL.includes(state);
}
