import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { closeSession, moveSession, type SessionState, sessionTransitions } from './domain/session.ts';

const state = fc.constantFrom(...sessionTransitions.states);

describe('the states of a session', () => {
  verifies('H-12', 'follow one another only as the table says', () => {
    const moves = sessionTransitions.states.flatMap((from) =>
      sessionTransitions.states.filter((to) => sessionTransitions.can(from, to)).map((to) => `${from} > ${to}`),
    );
    expect(moves).toEqual([
      'IDLE > PLANNING',
      'IDLE > COMPLETED',
      'IDLE > FAILED',
      'IDLE > CANCELLED',
      'PLANNING > IDLE',
      'PLANNING > PLANNING',
      'PLANNING > EXECUTING',
      'PLANNING > WAITING_USER',
      'PLANNING > FAILED',
      'PLANNING > CANCELLED',
      'EXECUTING > IDLE',
      'EXECUTING > PLANNING',
      'EXECUTING > EXECUTING',
      'EXECUTING > WAITING_USER',
      'EXECUTING > COMPLETED',
      'EXECUTING > FAILED',
      'EXECUTING > CANCELLED',
      'WAITING_USER > IDLE',
      'WAITING_USER > PLANNING',
      'WAITING_USER > EXECUTING',
      'WAITING_USER > FAILED',
      'WAITING_USER > CANCELLED',
    ]);
  });

  verifies('H-12', 'are left for good once a session is closed, whatever is tried', () => {
    fc.assert(
      fc.property(fc.array(state, { maxLength: 30 }), (attempts) => {
        let at: SessionState = 'IDLE';
        let closedAs: SessionState | null = null;
        for (const to of attempts) {
          const isLegal = sessionTransitions.can(at, to);
          if (isLegal) expect(moveSession(at, to, 'tried')).toEqual({ type: 'session-state', payload: { from: at, to, reason: 'tried' } });
          else expect(() => moveSession(at, to, 'tried')).toThrow(`session: ${at} -> ${to} is not a legal transition`);
          if (isLegal) at = to;
          if (closedAs) expect(at).toBe(closedAs);
          if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(at)) closedAs ??= at;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('can be closed from every one of them, once', () => {
    const closed = sessionTransitions.states.map((from) => [from, closeSession(from, 'removed')?.payload.to ?? null]);
    expect(Object.fromEntries(closed)).toEqual({
      IDLE: 'COMPLETED',
      PLANNING: 'CANCELLED',
      EXECUTING: 'COMPLETED',
      WAITING_USER: 'CANCELLED',
      COMPLETED: null,
      FAILED: null,
      CANCELLED: null,
    });
  });
});
