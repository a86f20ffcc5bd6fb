import { describe, expect, it } from 'vitest';
import { headOf, redactEvent, redactSummary } from './redact-run.ts';

const event = (type: string, payload: Record<string, unknown>) => ({
  runId: 'run_1',
  seq: 1,
  type,
  at: '2026-01-01T00:00:00.000Z',
  payload,
});

describe('redactEvent', () => {
  it('withholds pieces of a text whole: a number may lie across two of them', () => {
    expect(redactEvent(event('text-delta', { step: 0, attempt: 1, text: '138001' })).payload).toEqual({
      step: 0,
      attempt: 1,
      text: '▇ text',
    });
    expect(redactEvent(event('reasoning-delta', { step: 0, text: 'her number' })).payload).toEqual({ step: 0, text: '▇ text' });
  });
  it('hides what is personal in any other', () => {
    expect(redactEvent(event('ToolResultAccepted', { output: { to: 'li@example.com' } })).payload).toEqual({ output: { to: '▇ email' } });
  });
});

describe('redactSummary', () => {
  it('cuts a head after it was redacted, so that half a number does not stay', () => {
    const promptHead = `${'a '.repeat(97)}13800138000 and more`;
    const { promptHead: shown } = redactSummary({ promptHead } as Parameters<typeof redactSummary>[0]);
    expect(shown).toHaveLength(200);
    expect(shown.endsWith('▇ phon')).toBe(true);
    expect(headOf('😀'.repeat(300))).toBe('😀'.repeat(200));
  });
});
