import { z } from 'zod';

/** One entry of the audit log as the API and the browser see it. Instants are ISO 8601 in UTC. */
export const auditEventView = z.object({
  id: z.string(),
  at: z.string(),
  type: z.string(),
  /** `name`: of a person, as they are called now; null for others. */
  actor: z.object({ kind: z.enum(['user', 'api-key', 'system', 'unknown']), id: z.string(), name: z.string().nullable() }),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string().optional() }),
  runId: z.string().nullable(),
  /** How it came in: by a page, by an API key, or by an agent at work. */
  via: z.enum(['ui', 'api', 'agent', 'unknown']),
  /** The address it came from; null where none was seen. */
  ip: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEventView = z.infer<typeof auditEventView>;

/** Types that belong together, so that one may ask for all refusals. */
export const auditKind = z.enum(['changes', 'sign-in', 'refusals', 'reading', 'exports', 'runs']);
export type AuditKind = z.infer<typeof auditKind>;

export const auditQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  type: z.string().max(80).optional(),
  kind: auditKind.optional(),
  /** Who did it: the id of a person, or of an API key. */
  actor: z.string().max(200).optional(),
  /** What it was done to: its id. */
  target: z.string().max(200).optional(),
  via: z.enum(['ui', 'api', 'agent', 'unknown']).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** A run's id: what happened in it. */
  run: z.string().max(200).optional(),
});
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditPage = z.object({ items: z.array(auditEventView), nextCursor: z.string().nullable() });
export type AuditPage = z.infer<typeof auditPage>;
