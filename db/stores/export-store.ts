import { and, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Id } from '#lib/kernel/index.ts';
import { type ExportStore, exportTransitions, type RunExport } from '#lib/record/index.ts';
import { runListQuery } from '#lib/supervisor/contract.ts';
import { runExport, runExportPart } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

const OPEN = ['QUEUED', 'RUNNING'] as const;

const storedExport = z.object({
  format: z.enum(['json', 'csv']),
  query: runListQuery.omit({ cursor: true, limit: true, after: true }),
  redaction: z.enum(['redacted', 'plain']),
  firstRunId: z.custom<Id<'run'>>((id) => typeof id === 'string'),
  state: z.enum(['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED', 'EXPIRED']),
});

type Row = typeof runExport.$inferSelect;

export function bindExportStore({ transaction, scope: { tenantId } }: TenantBinding): ExportStore {
  const isThis = (id: RunExport['id']) => and(eq(runExport.tenantId, tenantId), eq(runExport.id, id));
  return {
    async add(made) {
      await transaction.insert(runExport).values({ tenantId, state: 'QUEUED', ...made });
    },

    async find(id, userId) {
      const [row] = await transaction
        .select()
        .from(runExport)
        .where(and(isThis(id), eq(runExport.userId, userId)));
      return row ? toExport(row) : null;
    },

    async list(userId, limit) {
      const rows = await transaction
        .select()
        .from(runExport)
        .where(and(eq(runExport.tenantId, tenantId), eq(runExport.userId, userId)))
        .orderBy(desc(runExport.id))
        .limit(limit);
      return rows.map(toExport);
    },

    async take(id, now, leaseMs) {
      const [row] = await transaction
        .update(runExport)
        .set({ state: 'RUNNING', epoch: sql`${runExport.epoch} + 1`, leasedUntil: new Date(now.getTime() + leaseMs) })
        .where(and(isThis(id), inArray(runExport.state, [...OPEN]), or(isNull(runExport.leasedUntil), lt(runExport.leasedUntil, now))))
        .returning();
      return row ? toExport(row) : null;
    },

    async dropParts(id) {
      await transaction.delete(runExportPart).where(and(eq(runExportPart.tenantId, tenantId), eq(runExportPart.exportId, id)));
      await transaction.update(runExport).set({ partCount: 0, byteCount: 0 }).where(isThis(id));
    },

    async append({ id, epoch }, piece, leasedUntil) {
      // The fence and the place of the piece in one: of two writers, the older finds no row.
      const [row] = await transaction
        .update(runExport)
        .set({
          lastRunId: piece.lastRunId,
          runCount: piece.runCount,
          totalCount: piece.totalCount,
          partCount: sql`${runExport.partCount} + 1`,
          byteCount: sql`${runExport.byteCount} + ${Buffer.byteLength(piece.body)}`,
          leasedUntil,
        })
        .where(and(isThis(id), eq(runExport.epoch, epoch), eq(runExport.state, 'RUNNING')))
        .returning({ partCount: runExport.partCount });
      if (!row) return false;
      await transaction.insert(runExportPart).values({ tenantId, exportId: id, ordinal: row.partCount - 1, body: piece.body });
      return true;
    },

    async end(id, { state, epoch, errorMessage, at, expiresAt }) {
      for (const from of OPEN) if (state !== 'DONE' || from !== 'QUEUED') exportTransitions.assert(from, state);
      const [row] = await transaction
        .update(runExport)
        .set({ state, errorMessage: errorMessage ?? null, endedAt: at, expiresAt, leasedUntil: null })
        .where(and(isThis(id), inArray(runExport.state, [...OPEN]), epoch === undefined ? undefined : eq(runExport.epoch, epoch)))
        .returning();
      return row ? toExport(row) : null;
    },

    async findPart(id, ordinal) {
      const [row] = await transaction
        .select({ body: runExportPart.body })
        .from(runExportPart)
        .where(and(eq(runExportPart.tenantId, tenantId), eq(runExportPart.exportId, id), eq(runExportPart.ordinal, ordinal)));
      return row?.body ?? null;
    },
  };
}

function toExport(row: Row): RunExport {
  const { leasedUntil: _leasedUntil, ...made } = row;
  return { ...made, ...storedExport.parse(row) };
}
