import { describe, expect, it } from 'vitest';
import { decideKeyedCall, type KeyedCall, requireCallKey } from './keyed-call.ts';

const known = (change: Partial<KeyedCall>): KeyedCall => ({
  capabilityId: 'mail.send',
  argumentsHash: 'a',
  state: 'SUCCEEDED',
  result: { output: { id: 1 }, text: 'sent' },
  ...change,
});
const call = { capabilityId: 'mail.send', argumentsHash: 'a', mayRepeat: false };

describe('decideKeyedCall', () => {
  it('runs what is new or has failed', () => {
    expect(decideKeyedCall(null, call)).toEqual({ kind: 'run' });
    expect(decideKeyedCall(known({ state: 'FAILED', result: null }), call)).toEqual({ kind: 'run' });
  });

  it('answers what has succeeded from what is kept', () => {
    expect(decideKeyedCall(known({}), call)).toEqual({ kind: 'answer', result: { output: { id: 1 }, text: 'sent' } });
  });

  it('refuses the key for other arguments, and for another capability', () => {
    for (const change of [{ argumentsHash: 'b' }, { capabilityId: 'mail.delete' }])
      expect(decideKeyedCall(known(change), call)).toMatchObject({ kind: 'refuse', code: 'idempotency_mismatch' });
  });

  it('does not run again what began and did not end, unless that does no harm', () => {
    const begun = known({ state: 'EXECUTING', result: null });
    expect(decideKeyedCall(begun, call)).toMatchObject({ kind: 'refuse', code: 'conflict' });
    expect(decideKeyedCall(begun, { ...call, mayRepeat: true })).toEqual({ kind: 'run' });
  });
});

describe('requireCallKey', () => {
  it('takes 1 to 200 characters', () => {
    expect(requireCallKey('k'.repeat(200))).toHaveLength(200);
    for (const key of ['', '  ', 'k'.repeat(201)]) expect(() => requireCallKey(key)).toThrow('1 to 200');
  });
});
