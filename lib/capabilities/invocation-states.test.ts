import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { hashArguments, invocationTransitions } from './domain/invocation.ts';

describe('the states of a call', () => {
  verifies('H-11', 'follow one another only as the table says, and an ended call stays ended', () => {
    const moves = invocationTransitions.states.flatMap((from) =>
      invocationTransitions.states.filter((to) => invocationTransitions.can(from, to)).map((to) => `${from} > ${to}`),
    );
    expect(moves).toEqual([
      'REQUESTED > ARGUMENTS_VALIDATED',
      'REQUESTED > FAILED',
      'ARGUMENTS_VALIDATED > EXECUTING',
      'ARGUMENTS_VALIDATED > FAILED',
      'EXECUTING > EXECUTING',
      'EXECUTING > RETRY_WAIT',
      'EXECUTING > SUCCEEDED',
      'EXECUTING > FAILED',
      'RETRY_WAIT > EXECUTING',
      'RETRY_WAIT > FAILED',
    ]);
    expect(() => invocationTransitions.assert('FAILED', 'EXECUTING')).toThrow('invocation: FAILED -> EXECUTING is not a legal transition');
  });
});

describe('hashArguments', () => {
  it('tells versions and arguments apart, and not the order of their names', () => {
    const hash = hashArguments('1.0.0', { a: 1, b: { c: 2, d: 3 } });
    expect(hashArguments('1.0.0', { b: { d: 3, c: 2 }, a: 1 })).toBe(hash);
    const others = [
      hashArguments('1.0.1', { a: 1, b: { c: 2, d: 3 } }),
      hashArguments('1.0.0', { a: 1, b: { c: 2, d: 4 } }),
      hashArguments(null, {}),
    ];
    expect(new Set([hash, ...others]).size).toBe(4);
  });
});
