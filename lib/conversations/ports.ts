import type { AuditLog } from '#lib/audit/index.ts';
import type { Id } from '#lib/kernel/index.ts';
import type { SessionPage, SessionView, TranscriptView } from './contract.ts';
import type { InstalledPlugin } from './domain/preset.ts';
import type { moveSession } from './domain/session.ts';

/** A move of a session as its record keeps it. */
export type SessionMove = ReturnType<typeof moveSession>;

/** Sessions of the person in scope; another person's session is not found. */
export interface SessionStore {
  create(session: { id: Id<'session'>; preset: string; title: string; checkpointThreadId: string }): Promise<void>;
  find(id: Id<'session'>): Promise<SessionView | null>;
  list(query: { cursor: string | null; limit: number; q: string | null; archived: boolean }): Promise<SessionPage>;
  /** Returns false when there is no such session. */
  update(id: Id<'session'>, change: { title?: string; isPinned?: boolean; isArchived?: boolean }): Promise<boolean>;
  /** Closes it with `move`, on its own record too; null where it is closed. Returns false when there is no such session. */
  remove(id: Id<'session'>, move: SessionMove | null): Promise<boolean>;
  transcript(id: Id<'session'>): Promise<TranscriptView | null>;
  /** Returns false when the person has no such message in such a session. */
  pinMessage(message: { sessionId: Id<'session'>; messageId: Id<'message'>; isPinned: boolean }): Promise<boolean>;
}

export interface ConversationStores {
  readonly sessions: SessionStore;
  /** The plugins a tenant has; they decide which presets are open. */
  readonly installs: { list(): Promise<readonly InstalledPlugin[]> };
  readonly audit: AuditLog;
}

/** One finished run, for the optional mirror in a graph (requirement P-26). Ids and states only, no content. */
export interface GraphRun {
  readonly tenantId: Id<'tenant'>;
  readonly sessionId: Id<'session'>;
  readonly runId: Id<'run'>;
  readonly preset: string;
  readonly terminal: string;
  readonly capabilityIds: readonly string[];
  readonly endedAt: Date;
}

/** A mirror of sessions and runs. Whoever calls it goes on when it fails. */
export interface GraphSink {
  record(run: GraphRun): Promise<void>;
}
