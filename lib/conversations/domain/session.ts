import { createHash } from 'node:crypto';
import { AppError, defineTransitions, type Id } from '#lib/kernel/index.ts';

export type SessionState = 'IDLE' | 'PLANNING' | 'EXECUTING' | 'WAITING_USER' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

/**
 * Requirement H-12. A run that fails returns its chat to IDLE; the terminals are for sessions that were closed. PLANNING and
 * EXECUTING may repeat when another process carries the run on.
 */
export const sessionTransitions = defineTransitions<SessionState>('session', {
  IDLE: ['PLANNING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  PLANNING: ['PLANNING', 'EXECUTING', 'WAITING_USER', 'IDLE', 'FAILED', 'CANCELLED'],
  EXECUTING: ['PLANNING', 'EXECUTING', 'WAITING_USER', 'IDLE', 'COMPLETED', 'FAILED', 'CANCELLED'],
  WAITING_USER: ['PLANNING', 'EXECUTING', 'IDLE', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: [],
});

/** A move of a session as its record keeps it (requirement H-12). Throws `IllegalTransition` for a move the table does not have. */
export function moveSession(from: SessionState, to: SessionState, reason: string) {
  sessionTransitions.assert(from, to);
  return { type: 'session-state', payload: { from, to, reason } } as const;
}

/** The move that closes a session for good; null when it is closed. */
export function closeSession(from: SessionState, reason: string) {
  if (sessionTransitions.isTerminal(from)) return null;
  return moveSession(from, sessionTransitions.can(from, 'COMPLETED') ? 'COMPLETED' : 'CANCELLED', reason);
}

/**
 * The thread under which a session's checkpoints are kept: a function of tenant and session (requirement P-09). Throws when
 * either is missing: there is no shared default thread.
 */
export function checkpointThreadId(tenantId: Id<'tenant'> | null | undefined, sessionId: Id<'session'> | null | undefined): string {
  if (!tenantId) throw new AppError({ code: 'tenant_context_missing', message: 'tenant context missing' });
  if (!sessionId) throw new AppError({ code: 'session_not_found', message: 'session not found' });
  return createHash('sha256').update(`${tenantId}/${sessionId}`).digest('hex').slice(0, 40);
}

/** Which agent's memory a preset speaks from. */
export function agentIdOf(preset: string): string {
  const agentId = preset.trim();
  if (agentId === '') throw new AppError({ code: 'invalid_request', message: 'agentId must not be blank' });
  return agentId;
}
