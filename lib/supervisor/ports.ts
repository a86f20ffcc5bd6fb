import type { AgentDefinition, ModelResponse } from '#lib/agents/index.ts';
import type { AuditActor } from '#lib/audit/index.ts';
import type { Approval, ApprovalPolicy, InvocationRecord } from '#lib/capabilities/index.ts';
import type { ContextContributor } from '#lib/context/index.ts';
import type { Claim, EngineTransaction } from '#lib/durable/index.ts';
import type { Pipeline } from '#lib/graph/index.ts';
import type { Id, JsonObject, TenantScope } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type {
  ApprovalGrantView,
  ApprovalView,
  InboxView,
  InvocationView,
  RunEventType,
  RunEventView,
  RunFacets,
  RunListQuery,
  RunPage,
  RunView,
} from './contract.ts';
import type { Boundary, RunEventEntry } from './domain/boundary.ts';
import type { DocumentEvidence } from './domain/document-coverage.ts';
import type { Question, Run, RunState, Terminal } from './domain/run.ts';
import type { RunOutcome } from './supervisor-result.ts';

/** Which run, and as which of its drivers. */
export interface RunKey {
  readonly tenantId: Id<'tenant'>;
  readonly sessionId: Id<'session'>;
  readonly runId: Id<'run'>;
  readonly epoch: number;
}

/** Everything a driver needs to ask "what is missing?". */
export interface RunRecords {
  readonly run: Run;
  readonly nodes: ReadonlyMap<string, JsonObject>;
  readonly invocations: ReadonlyMap<string, InvocationRecord>;
  /** The newest question of the run, whatever its state. */
  readonly question: Question | null;
  /** The newest approval of each call that needed one. */
  readonly approvals: ReadonlyMap<Id<'invocation'>, Approval>;
  /** What the tenant has set for capabilities, by their id. */
  readonly policies: ReadonlyMap<string, ApprovalPolicy>;
  /** What models have answered, by the path of the call. */
  readonly modelCalls: ReadonlyMap<string, ModelResponse>;
  /** What readers have seen of each step's text, without what a reset took back. */
  readonly shownText: ReadonlyMap<number, { readonly text: string }>;
}

/**
 * The run's records as its driver sees them. Every method is one round trip and one transaction.
 */
export interface RunJournal {
  /**
   * Takes the run on under the next epoch: from here on writes of older epochs are refused. Null when there is nothing to
   * drive: the run has ended, waits for an answer, or is not there; or the claim is void, because another has the segment.
   */
  begin(segment: { tenantId: Id<'tenant'>; runId: Id<'run'>; number: number }, claim?: Claim): Promise<RunRecords | null>;
  /** Commits a boundary and tells readers. Throws `stale_epoch` when the epoch has moved, the run has ended, or `refuseWhenCancelled` applies. */
  write(key: RunKey, boundary: Boundary): Promise<void>;
  find(scope: TenantScope, runId: Id<'run'>): Promise<Run | null>;
}

/** What one write has made true of a run, once it is committed. */
export interface CommittedWrite {
  readonly tenantId: Id<'tenant'>;
  readonly sessionId: Id<'session'>;
  readonly runId: Id<'run'>;
  /** How it moved the session, as its log has it. */
  readonly moves: readonly { readonly from: string; readonly to: string; readonly reason: string }[];
  /** Of the run's model calls until then; zeros where the session did not move. */
  readonly tokenUsage: { readonly input: number; readonly output: number };
  /** The state that it ended the run in. */
  readonly terminal: Terminal | null;
}

/** Hears of every write about a run that this process has committed, whoever made it. Must not throw, nor keep the writer waiting. */
export type RunObserver = (write: CommittedWrite) => void;

export interface NewRun {
  readonly sessionId: Id<'session'>;
  readonly actor: Actor;
  readonly text: string;
  /** The message it follows, null for none; undefined: the newest of the session. */
  readonly parentId: Id<'message'> | null | undefined;
  readonly locale: 'en' | 'zh-CN';
  readonly timeZone: string | null;
  readonly timeLimitMs: number;
  readonly idempotencyKey: string | null;
  readonly requestHash: string;
  /** Whether a place is free for it: it then begins with the same commit, unless something of its session is ahead of it. */
  readonly mayBegin: boolean;
}

export type SubmitOutcome =
  | {
      readonly status: 'submitted';
      readonly runId: Id<'run'>;
      readonly messageId: Id<'message'>;
      readonly queuePlace: number;
      /** What its first driver would read, where it has begun. */
      readonly begun: RunRecords | null;
    }
  /** The same idempotency key was used before: the run of then. */
  | { readonly status: 'repeated'; readonly runId: Id<'run'>; readonly messageId: Id<'message'>; readonly requestHash: string };

export type EnqueueInTransaction = (
  transaction: EngineTransaction,
  run: {
    readonly runId: Id<'run'>;
    readonly segment: number;
    /** In the session's line; without it the run goes on ahead of those that have not begun. */
    readonly place?: number;
    /** It has begun: its segment is to be this process's from the commit on. */
    readonly hasBegun?: boolean;
  },
) => Promise<void>;

/** Writes that start, stop or wake a run from outside its driver. */
export interface RunGate {
  /**
   * Message, run, first event, audit row and the engine's entry in one transaction. Throws `session_not_found` and
   * `session_closed`.
   */
  submit(run: NewRun, enqueue: EnqueueInTransaction): Promise<SubmitOutcome>;
  /**
   * Asks for a stop. A run that no driver holds ends here and now; a running one is told. Returns the run as it was left,
   * null when there is no such run.
   */
  requestCancel(
    scope: TenantScope,
    runId: Id<'run'>,
    by: Id<'user'>,
    ending: (run: Run, shownText: RunRecords['shownText']) => Boundary,
  ): Promise<Run | null>;
  /** Records the answer once and enqueues the next segment with it; throws `already_decided` when it came too late. */
  answer(
    scope: TenantScope,
    answer: { runId: Id<'run'>; questionId: Id<'question'>; answer: string; by: Id<'user'> },
    enqueue: EnqueueInTransaction,
  ): Promise<void>;
}

/** What somebody has decided about a call. */
export type ApprovalDecision = {
  readonly by: Id<'user'>;
  /** As the audit names them. */
  readonly actor: AuditActor;
} & (
  | {
      readonly kind: 'allow';
      readonly extent: 'once' | 'session';
      /** Other arguments than the call was made with; the hash is theirs. */
      readonly changed: { readonly arguments: JsonObject; readonly argumentsHash: string } | null;
      /** With `session`: what later calls must have just so. */
      readonly sameArguments: JsonObject;
    }
  | { readonly kind: 'deny'; readonly note: string | null }
);

/** Decides about calls that wait, once each; lets the run go on with the last of its decisions. */
export interface ApprovalGate {
  /** Throws `not_found`, and `already_decided` naming who and when where somebody was faster or the time is over. */
  decide(scope: TenantScope, id: Id<'approval'>, decision: ApprovalDecision, enqueue: EnqueueInTransaction): Promise<ApprovalView>;
  /** Ends those of a run whose time is over by the database's clock; false when there were none. */
  expire(scope: TenantScope, runId: Id<'run'>, enqueue: EnqueueInTransaction): Promise<boolean>;
}

/** A task that a run has handed on, as the run for it stands. */
export interface Task {
  readonly runId: Id<'run'>;
  readonly sessionId: Id<'session'>;
  /** The call that it was handed on by. */
  readonly invocationId: Id<'invocation'>;
  readonly text: string;
  readonly state: RunState;
  /** null until it has ended. */
  readonly outcome: { readonly state: Terminal; readonly answer: string; readonly error: string | null } | null;
}

export type EnqueueTask = (
  transaction: EngineTransaction,
  run: { readonly runId: Id<'run'>; readonly sessionId: Id<'session'>; readonly segment: number },
) => Promise<void>;

/** Tasks of runs (requirement H-36): each a run of its own, in a session of its own. */
export interface TaskGate {
  /**
   * The tasks of a call in order, started with all that a submitted message brings where that has not been done. Throws
   * `conflict` when the run is not at work or was stopped, `limit_reached` where it may not hand on any more.
   */
  start(
    scope: TenantScope,
    call: {
      readonly runId: Id<'run'>;
      readonly invocationId: Id<'invocation'>;
      readonly texts: readonly string[];
      readonly preset: string;
    },
    enqueue: EnqueueTask,
  ): Promise<readonly Task[]>;
  /** Lets a run that waits for its tasks go on once none is open any more; false when there is something to wait for, or nothing that waits. */
  goOn(scope: TenantScope, runId: Id<'run'>, enqueue: EnqueueTask): Promise<boolean>;
  /** Tasks that have not ended, and that nobody has asked to stop. */
  listOpen(scope: TenantScope, runId: Id<'run'>): Promise<readonly Id<'run'>[]>;
  /** Runs of a session that have not begun, first to last. */
  listQueued(scope: TenantScope, sessionId: Id<'session'>): Promise<readonly Run[]>;
  /** Gives a run that has not begun its next segment, unless it has moved on. */
  requeue(scope: TenantScope, run: Run, enqueue: EnqueueTask): Promise<void>;
}

/** What a process that died between two writes may have left of tasks, over all tenants. */
export interface LeftTaskReader {
  /** Runs that wait and have no open task, nor anything else to wait for, but once had tasks. */
  listWaitingForNothing(limit: number): Promise<readonly TaskOwner[]>;
  /** Runs that have ended, or are being stopped, with tasks that go on. */
  listEndedWithTasks(limit: number): Promise<readonly TaskOwner[]>;
}

export type TaskOwner = Pick<Run, 'tenantId' | 'userId' | 'id' | 'cancelRequestedBy'>;

/** Whose decisions the reader may make: their own runs' and, with the right to, everybody's. */
export interface ApprovalReach {
  readonly userId: Id<'user'>;
  readonly mayDecideForOthers: boolean;
}

export interface ApprovalReader {
  find(scope: TenantScope, id: Id<'approval'>): Promise<ApprovalView | null>;
  /** What waits for the person, at most a hundred of each, the oldest first. */
  readInbox(scope: TenantScope, reach: ApprovalReach): Promise<InboxView>;
}

/** Runs of every tenant with an approval whose time is over. */
export interface DueApprovalReader {
  listDueApprovals(
    limit: number,
  ): Promise<{ readonly tenantId: Id<'tenant'>; readonly sessionId: Id<'session'>; readonly runId: Id<'run'> }[]>;
}

/** What was allowed for sessions, as long as it holds. */
export interface ApprovalGrantStore {
  /** Those of one person's sessions, or of all. The newest first, at most 200. */
  list(ofSessionsOf: Id<'user'> | 'anybody'): Promise<ApprovalGrantView[]>;
  /** false when there is no such grant that holds, for them. */
  revoke(id: Id<'approvalGrant'>, by: Id<'user'>, ofSessionsOf: Id<'user'> | 'anybody'): Promise<boolean>;
}

/** A move of a session, as its own log has it. */
export interface SessionMove {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly at: string;
}

/** Longer than what is shown, so that what stands across the cut is recognised before it is cut. */
export const PROMPT_HEAD_READ = 400;

/** What pages and the API read of runs. `ownOnly` keeps to the runs of the scope's person. */
export interface RunReader {
  /** Prompt heads are of up to `PROMPT_HEAD_READ` characters. */
  list(scope: TenantScope, query: RunListQuery, access: { ownOnly: boolean }): Promise<RunPage>;
  /** How many runs each further choice would leave. */
  facets(scope: TenantScope, query: RunListQuery, access: { ownOnly: boolean }): Promise<RunFacets>;
  /** Whose run it is; null when there is no such run. */
  findOwner(scope: TenantScope, runId: Id<'run'>): Promise<Id<'user'> | null>;
  /** With `withoutPayloads`, calls have neither arguments nor output: a run may have thousands of them. */
  get(scope: TenantScope, runId: Id<'run'>, access: { ownOnly: boolean; withoutPayloads?: boolean }): Promise<RunView | null>;
  /** As much of it as its result tells, and whose it is; null when there is no such run. */
  findOutcome(scope: TenantScope, runId: Id<'run'>): Promise<{ readonly ownerId: Id<'user'>; readonly outcome: RunOutcome } | null>;
  findInvocation(scope: TenantScope, runId: Id<'run'>, invocationId: Id<'invocation'>): Promise<InvocationView | null>;
  /** Events after `after`, at most `limit`, of `types` only where they are given, and the newest sequence number of the run. */
  events(
    scope: TenantScope,
    runId: Id<'run'>,
    after: number,
    limit: number,
    types?: readonly RunEventType[],
  ): Promise<{ items: RunEventView[]; lastSeq: number; isEnded: boolean }>;
  /** Moves of the session while the run was being driven, in order. */
  sessionMoves(scope: TenantScope, runId: Id<'run'>): Promise<SessionMove[]>;
}

/** Tells readers in this process that a run's log has grown, wherever it was written. */
export interface RunFeed {
  /** The listener is called with the entries when they were written here, with null when they must be read. */
  subscribe(runId: Id<'run'>, listener: (batch: RunEventBatch | null) => void): () => void;
}

export interface RunEventBatch {
  readonly firstSeq: number;
  readonly events: readonly RunEventEntry[];
}

/**
 * What is known here at planning time: the ontology of the tenant (requirement P-24), and what its documents have to do
 * with the message.
 */
export interface OntologySource {
  describe(
    scope: TenantScope,
    message: string,
  ): Promise<{ readonly summary: string; readonly revision: string; readonly documents?: DocumentEvidence }>;
}

/** What the preset of a run brings to it. */
export interface PresetBinding {
  /** What planner, pipeline and model see and may call; null: whatever the person may. */
  readonly capabilityIds: readonly string[] | null;
  /** Answers in place of the planner, and of a model too where the preset has no agent. */
  readonly pipeline: Pipeline | null;
  /** Answers under the preset where a model is used; null: the platform's supervisor. */
  readonly agent: AgentDefinition | null;
  /** Who and what takes part where a model answers; read only then. */
  readonly companions: () => Promise<PresetCompanions>;
}

export interface PresetCompanions {
  /** Whom the answering agent may hand tasks to, besides the platform's specialists. */
  readonly specialists: readonly AgentDefinition[];
  /** After the platform's own. */
  readonly contributors: readonly ContextContributor[];
}

/** Rights of the person or key a run acts for, read fresh. Throws `permission_denied` when they may no longer act here. */
export interface ActorSource {
  actorOfRun(run: { tenantId: Id<'tenant'>; userId: Id<'user'>; apiKeyId: Id<'apiKey'> | null }): Promise<Actor>;
}

/** Stops that were asked for, wherever they were. */
export interface CancelFeed {
  /** Calls the listener once when a stop of this run is asked for. */
  onCancel(runId: Id<'run'>, listener: () => void): () => void;
  /** Tells the driver in this process at once, ahead of the database's notice. */
  tell(runId: Id<'run'>): void;
}
