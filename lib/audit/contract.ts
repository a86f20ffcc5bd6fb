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
  details: z.record(z.string(), z.unknown()),
});
export type AuditEventView = z.infer<typeof auditEventView>;

export const auditQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  type: z.string().max(80).optional(),
  /** A run's id: what happened in it. */
  run: z.string().max(200).optional(),
});
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditPage = z.object({ items: z.array(auditEventView), nextCursor: z.string().nullable() });
export type AuditPage = z.infer<typeof auditPage>;
