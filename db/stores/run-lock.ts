import type { Sql, TransactionSql } from 'postgres';
import { toAuditRecord } from '#lib/audit/index.ts';
import { type Clock, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import type { Boundary, Run } from '#lib/supervisor/index.ts';
import { writeStatement } from './boundary-statement.ts';
import { toRun } from './run-rows.ts';

export type Connection = Sql | TransactionSql;

/** What row-level security reads, for this transaction. */
export function enterTenant(tx: Connection, scope: TenantScope) {
  return tx`select set_config('app.tenant_id', ${toUuid(scope.tenantId)}, true), set_config('app.user_id', ${scope.userId ? toUuid(scope.userId) : ''}, true)`;
}

/** The run, held until the transaction ends; null when there is none. */
export async function lockRun(tx: Connection, scope: TenantScope, runId: Run['id']): Promise<Run | null> {
  const rows = await tx`select * from run where tenant_id = ${toUuid(scope.tenantId)} and id = ${toUuid(runId)} for update`;
  return rows[0] ? toRun(rows[0]) : null;
}

/** Writes a boundary of a run that is held, as its driver would. */
export async function writeAs(tx: Connection, run: Run, boundary: Boundary, clock: Clock): Promise<void> {
  const audit = (boundary.audit ?? []).map((entry) =>
    toAuditRecord(entry, { tenantId: run.tenantId, actor: { kind: 'system', id: 'supervisor' }, at: clock.now() }),
  );
  await writeStatement(
    tx,
    { tenantId: run.tenantId, sessionId: run.sessionId, runId: run.id, epoch: run.epoch },
    boundary,
    audit,
    toUuid(run.id),
  );
}
