import type { AuditLog, AuditReader } from '#lib/audit/index.ts';
import type { Clock, Id, TenantScope, UnitOfWork } from '#lib/kernel/index.ts';
import type { RunFeed, RunListQuery, RunReader } from '#lib/supervisor/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { FiguresView, ModelUsageView, ToolUsageView, UsageQuery } from './contract.ts';
import type { ExportState } from './domain/export-states.ts';

export interface Reveal {
  readonly id: Id<'reveal'>;
  readonly runId: Id<'run'>;
  readonly userId: Id<'user'>;
  readonly reason: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Who was shown which run in plain. Nothing is changed or taken away. */
export interface RevealStore {
  add(reveal: Reveal): Promise<void>;
  /** Until when this person is, or was, shown this run in plain; null when they never were. */
  findEnd(runId: Id<'run'>, userId: Id<'user'>): Promise<Date | null>;
}

/** Counts over the runs of one tenant, of all its people. */
export interface FiguresReader {
  /** Runs that were asked for from `from` on and before `to`, at most the newest fifty thousand of them, and all that are open. */
  read(scope: TenantScope, period: { readonly from: Date; readonly to: Date }): Promise<Omit<FiguresView, 'period' | 'from' | 'to'>>;
}

/** A file that is being made of runs, or was. */
export interface RunExport {
  readonly tenantId: Id<'tenant'>;
  readonly id: Id<'export'>;
  readonly userId: Id<'user'>;
  readonly format: 'json' | 'csv';
  readonly hasBom: boolean;
  readonly runId: Id<'run'> | null;
  readonly query: Omit<RunListQuery, 'cursor' | 'limit' | 'after'>;
  readonly redaction: 'redacted' | 'plain';
  readonly fileName: string;
  readonly state: ExportState;
  /** An id newer than every run of the set. */
  readonly firstRunId: Id<'run'>;
  readonly lastRunId: Id<'run'> | null;
  readonly runCount: number;
  readonly totalCount: number | null;
  readonly partCount: number;
  readonly byteCount: number;
  readonly errorMessage: string | null;
  readonly epoch: number;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** The next piece of a file and how far it has come with it. */
export interface ExportPiece {
  readonly body: string;
  readonly lastRunId: Id<'run'> | null;
  readonly runCount: number;
  readonly totalCount: number | null;
}

export interface ExportStore {
  add(
    made: Pick<
      RunExport,
      'id' | 'userId' | 'format' | 'hasBom' | 'runId' | 'query' | 'redaction' | 'fileName' | 'firstRunId' | 'createdAt'
    >,
  ): Promise<void>;
  /** Of this person only: for others it is not there. */
  find(id: Id<'export'>, userId: Id<'user'>): Promise<RunExport | null>;
  /** The newest of this person. */
  list(userId: Id<'user'>, limit: number): Promise<RunExport[]>;
  /** Takes an export on under the next epoch; null when it has ended or somebody else writes it. */
  take(id: Id<'export'>, now: Date, leaseMs: number): Promise<RunExport | null>;
  /** Begins the file anew. */
  dropParts(id: Id<'export'>): Promise<void>;
  /** Adds a piece and renews the lease. False when the epoch has moved or the export has ended: then nothing was written. */
  append(taken: Pick<RunExport, 'id' | 'epoch'>, piece: ExportPiece, leasedUntil: Date): Promise<boolean>;
  /** Ends an export that is open; with `epoch` only its own writer may. Null when it was too late. */
  end(
    id: Id<'export'>,
    end: { state: 'DONE' | 'FAILED' | 'CANCELLED'; epoch?: number; errorMessage?: string; at: Date; expiresAt: Date | null },
  ): Promise<RunExport | null>;
  findPart(id: Id<'export'>, ordinal: number): Promise<string | null>;
}

/** What the job that writes exports sees of all tenants. */
export interface ExportQueue {
  /** Exports that wait, or whose writer has not been heard of. */
  listDue(now: Date, limit: number): Promise<{ tenantId: Id<'tenant'>; exportId: Id<'export'> }[]>;
  /** Deletes files whose time is over; returns how many. */
  expire(now: Date): Promise<number>;
}

/** What models and tools were used for, summed where it is on record. */
export interface UsageReader {
  readModels(query: UsageQuery): Promise<ModelUsageView>;
  readTools(query: Pick<UsageQuery, 'days'>): Promise<ToolUsageView>;
}

export interface ExportDependencies {
  readonly reader: RunReader;
  readonly unitOfWork: UnitOfWork<RecordStores>;
  readonly clock: Clock;
  /** A writer that has not been heard of for so long is taken for dead, and another carries its export on. */
  readonly leaseMs: number;
  /** Rights of whoever asked for the export, read fresh. Throws when they may no longer act. */
  readonly actorOf: (scope: TenantScope & { userId: Id<'user'> }) => Promise<Actor>;
}

export interface RecordStores {
  readonly reveals: RevealStore;
  readonly usage: UsageReader;
  readonly exports: ExportStore;
  readonly audit: AuditLog;
  readonly auditReader: AuditReader;
}

export interface ViewDependencies {
  readonly reader: RunReader;
  readonly feed: RunFeed;
  readonly unitOfWork: UnitOfWork<RecordStores>;
  readonly clock: Clock;
}
