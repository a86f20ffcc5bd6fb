import { describe, expect, it } from 'vitest';
import { endBoundary } from './ending.ts';
import type { Locale, Run } from './run.ts';
import { describeStop } from './stopped-work.ts';

const STOP = new Date('2026-01-01T00:00:10Z');
const before = new Date('2026-01-01T00:00:05Z');
const after = new Date('2026-01-01T00:00:10.020Z');

type Call = Parameters<typeof describeStop>[0][number];
const call = (capabilityId: string, state: Call['state'], finishedAt: Date | null, more: Partial<Call> = {}): Call => ({
  step: 0,
  capabilityId,
  state,
  attempt: 1,
  finishedAt,
  ...more,
});

/** What the person reads of a run that was stopped with these calls. */
function textOf(calls: readonly Call[], locale: Locale = 'en'): string {
  const stopped = describeStop(calls, { stopAskedAt: STOP, changesSomething: (id) => id !== 'find' });
  const run = { id: 'run_1', state: 'RUNNING', locale, epoch: 1, timeLimitMs: 1_000, cancelRequestedBy: null } as Run;
  const boundary = endBoundary(run, { terminal: 'CANCELLED', text: '', at: after, stopped: { ...stopped, by: null } });
  return boundary.message?.text ?? '';
}

describe('the end text of a stop', () => {
  it('says that no tool ran, also where one was asked for and had not begun', () => {
    expect(textOf([])).toBe('_Stopped before a tool ran._');
    expect(textOf([call('send', 'ARGUMENTS_VALIDATED', null, { attempt: 0 })])).toBe('_Stopped before a tool ran._');
  });

  it('says that a tool had finished, with success or without', () => {
    expect(textOf([call('find', 'SUCCEEDED', before)])).toBe('_The tool finished, then the run was stopped._');
    expect(textOf([call('send', 'FAILED', before)])).toBe('_The tool finished, then the run was stopped._');
  });

  it('names what cannot be undone', () => {
    expect(textOf([call('send', 'SUCCEEDED', before), call('find', 'SUCCEEDED', before, { step: 1 })])).toBe(
      '_Stopped. What send did cannot be undone._',
    );
    expect(textOf([call('send', 'SUCCEEDED', before), call('post', 'SUCCEEDED', before)], 'zh-CN')).toBe(
      '_已停止。send、post 的结果无法撤销。_',
    );
  });

  it('never says that nothing ran when a tool was at work', () => {
    const mayHave = '_Stopped. send was at work and may have had its effect, which cannot be undone: check it._';
    // Told to stop, and failed by that; or never heard of again, since its process ended.
    expect(textOf([call('send', 'FAILED', after)])).toBe(mayHave);
    expect(textOf([call('send', 'EXECUTING', null)])).toBe(mayHave);
    expect(textOf([call('find', 'FAILED', after)])).toBe('_Stopped while find was at work. It changes nothing._');
    expect(textOf([call('pay', 'SUCCEEDED', before), call('send', 'EXECUTING', null, { step: 1 })])).toBe(
      '_Stopped. What pay did cannot be undone. send was at work and may have had its effect, which cannot be undone: check it._',
    );
  });
});
