import type { InvocationLedger, InvocationRecord } from '#lib/capabilities/index.ts';
import type { Id } from '#lib/kernel/index.ts';
import { type Boundary, mergeBoundaries, type RunEventEntry } from './domain/boundary.ts';
import type { RunJournal, RunKey } from './ports.ts';

/**
 * A driver's only way to write. Boundaries leave in the order they were given, one statement at a time; those that wait
 * meanwhile, and deferred ones, leave together as one.
 */
export class RunWriter {
  readonly #journal: RunJournal;
  readonly #key: RunKey;
  readonly #deferMs: number;
  /** The run's calls as they stand, those of earlier segments included. */
  readonly calls: Map<Id<'invocation'>, InvocationRecord>;
  #pending: Boundary | null = null;
  #sending: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #failure: { readonly error: unknown; readonly boundary: Boundary } | null = null;

  constructor(options: { journal: RunJournal; key: RunKey; deferMs?: number; calls?: Iterable<InvocationRecord> }) {
    this.#journal = options.journal;
    this.#key = options.key;
    this.#deferMs = options.deferMs ?? 10;
    this.calls = new Map([...(options.calls ?? [])].map((call) => [call.id, call]));
  }

  /** Resolves once the boundary and all before it are committed. Throws what the journal threw, for all that left together. */
  async write(boundary: Boundary): Promise<void> {
    this.#add(boundary);
    await this.flush();
  }

  /** Commits with the next write, or by itself within milliseconds; a failure then meets the next write. */
  defer(boundary: Boundary): void {
    this.#add(boundary);
    this.#timer ??= setTimeout(() => {
      // Kept for the next write: nobody waits here.
      this.#enqueue({ isAwaited: false }).catch(() => undefined);
    }, this.#deferMs);
  }

  /** Leaves as soon as what is on its way has arrived; nobody waits, a failure meets the next write. For what is read live. */
  post(boundary: Boundary): void {
    this.#add(boundary);
    this.#enqueue({ isAwaited: false }).catch(() => undefined);
  }

  async flush(): Promise<void> {
    await this.#enqueue({ isAwaited: true });
  }

  /** Drops what is pending: the driver has lost the run. */
  abandon(): void {
    this.#pending = null;
    this.#failure = null;
    this.#clearTimer();
  }

  /** The run was stopped: what was to begin is dropped, what was said until then still goes out with the end. */
  withdraw(): void {
    const said = [this.#failure?.boundary, this.#pending].flatMap((boundary) => boundary?.events ?? []).filter(isText);
    this.abandon();
    if (said.length > 0) this.#pending = { events: said };
  }

  /** The ledger of this run's calls; `alongside` adds to a call's last write what becomes true with it. */
  ledger(alongside: (entry: Parameters<InvocationLedger['defer']>[0]) => Boundary): InvocationLedger {
    return {
      commit: ({ invocation, ...entry }, { begins }) =>
        this.write(
          mergeBoundaries({ ...entry, invocations: [invocation], refuseWhenCancelled: begins }, alongside({ invocation, ...entry })),
        ),
      defer: ({ invocation, ...entry }) =>
        this.defer(mergeBoundaries({ ...entry, invocations: [invocation] }, alongside({ invocation, ...entry }))),
    };
  }

  #add(boundary: Boundary): void {
    for (const call of boundary.invocations ?? []) this.calls.set(call.id, call);
    this.#pending = this.#pending ? mergeBoundaries(this.#pending, boundary) : boundary;
  }

  #enqueue(options: { isAwaited: boolean }): Promise<void> {
    const turn = this.#sending.then(() => this.#send(options));
    this.#sending = turn.catch(() => undefined);
    return turn;
  }

  async #send({ isAwaited }: { isAwaited: boolean }): Promise<void> {
    this.#clearTimer();
    const boundary = this.#pending;
    this.#pending = null;
    if (this.#failure) {
      // What follows a boundary that was refused is not sent either.
      const { error } = this.#failure;
      this.#failure = { error, boundary: mergeInto(this.#failure.boundary, boundary) };
      throw error;
    }
    if (!boundary) return;
    try {
      await this.#journal.write(this.#key, boundary);
    } catch (error) {
      if (!isAwaited) this.#failure = { error, boundary };
      throw error;
    }
  }

  #clearTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

function mergeInto(first: Boundary, second: Boundary | null): Boundary {
  return second ? mergeBoundaries(first, second) : first;
}

function isText({ type }: RunEventEntry): boolean {
  return type === 'text-delta' || type === 'text-reset';
}
