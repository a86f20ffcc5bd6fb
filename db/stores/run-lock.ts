import type { Sql, TransactionSql } from 'postgres';
import { toAuditRecord } from '#lib/audit/index.ts';
import { type Clock, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import type { Boundary, CommittedWrite, Run, RunObserver } from '#lib/supervisor/index.ts';
import { toCommittedWrite, writeStatement } from './boundary-statement.ts';
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

/** Whether a task that the run has handed on has not ended. */
export async function hasOpenTask(tx: Connection, run: Run): Promise<boolean> {
  const open = await tx`
    select 1 from run where tenant_id = ${toUuid(run.tenantId)} and parent_run_id = ${toUuid(run.id)} and state in ('QUEUED', 'RUNNING', 'WAITING')
    limit 1`;
  return open.length > 0;
}

/** What one transaction writes of runs that it holds. Observers hear of it from `tell`, which is called once it is committed. */
export class RunWrites {
  readonly clock: Clock;
  readonly #observer: RunObserver | undefined;
  readonly #written: CommittedWrite[] = [];

  constructor({ clock, observer }: { clock: Clock; observer?: RunObserver | undefined }) {
    this.clock = clock;
    this.#observer = observer;
  }

  /** Writes a boundary of a run that is held, as its driver would. */
  async write(tx: Connection, run: Run, boundary: Boundary): Promise<void> {
    const audit = (boundary.audit ?? []).map((entry) =>
      toAuditRecord(entry, { tenantId: run.tenantId, actor: { kind: 'system', id: 'supervisor' }, at: this.clock.now() }),
    );
    const key = { tenantId: run.tenantId, sessionId: run.sessionId, runId: run.id, epoch: run.epoch };
    const [row] = await writeStatement(tx, key, boundary, audit, toUuid(run.id));
    if (row) this.#written.push(toCommittedWrite(key, boundary, row));
  }

  tell(): void {
    for (const write of this.#written) this.#observer?.(write);
  }
}
