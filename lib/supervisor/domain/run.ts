import { defineTransitions, type Id, type JsonObject } from '#lib/kernel/index.ts';
import type { ExecutionPlan } from './plan.ts';

export type RunState = 'QUEUED' | 'RUNNING' | 'WAITING' | 'FINISH_OK' | 'FINISH_ERROR' | 'TIMEOUT' | 'CANCELLED';

/** RUNNING -> RUNNING is a takeover: another process carries the run on under a higher epoch. */
export const runTransitions = defineTransitions<RunState>('run', {
  QUEUED: ['RUNNING', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'],
  RUNNING: ['RUNNING', 'WAITING', 'FINISH_OK', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'],
  WAITING: ['QUEUED', 'RUNNING', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'],
  FINISH_OK: [],
  FINISH_ERROR: [],
  TIMEOUT: [],
  CANCELLED: [],
});

export type Terminal = 'FINISH_OK' | 'FINISH_ERROR' | 'TIMEOUT' | 'CANCELLED';

export function isTerminal(state: RunState): state is Terminal {
  return runTransitions.isTerminal(state);
}

export type Locale = 'en' | 'zh-CN';

/** A run as its records tell it. */
export interface Run {
  readonly id: Id<'run'>;
  readonly tenantId: Id<'tenant'>;
  readonly sessionId: Id<'session'>;
  readonly userId: Id<'user'>;
  readonly apiKeyId: Id<'apiKey'> | null;
  readonly messageId: Id<'message'>;
  readonly preset: string;
  readonly input: string;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly state: RunState;
  readonly path: 'deterministic' | 'llm' | null;
  readonly graph: string | null;
  readonly pathReason: { readonly code: string; readonly text: string } | null;
  readonly ontologyRevision: string | null;
  readonly plan: ExecutionPlan | null;
  readonly answer: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly epoch: number;
  readonly segment: number;
  readonly eventSeq: number;
  readonly stepCount: number;
  readonly callsSucceeded: number;
  readonly callsFailed: number;
  readonly workedMs: number;
  readonly timeLimitMs: number;
  readonly cancelRequestedAt: Date | null;
  readonly cancelRequestedBy: Id<'user'> | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** The run that handed this one a task; null where a person or a program has asked. */
  readonly parentRunId: Id<'run'> | null;
  /** The first of its line and its session: this one, where it is no task. What budgets hold covers all of a line. */
  readonly rootRunId: Id<'run'>;
  readonly rootSessionId: Id<'session'>;
}

export interface Question {
  readonly id: Id<'question'>;
  readonly runId: Id<'run'>;
  readonly invocationId: Id<'invocation'> | null;
  readonly kind: 'unknown-outcome';
  readonly text: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly state: 'OPEN' | 'ANSWERED' | 'WITHDRAWN';
  readonly answer: string | null;
  /** How often people have said that its call may run again, this answer included; as a driver reads it. */
  readonly repeatsGranted?: number;
}

/** One entry of `pipeline_trace` (requirement P-06). */
export interface TraceEntry {
  readonly capabilityId: string;
  readonly rationale: string;
  readonly output: JsonObject;
}
