import type { Id, TenantScope } from '#lib/kernel/index.ts';

/** A person in a tenant, as a call carries it. */
export type CallScope = TenantScope & { readonly userId: Id<'user'> };

export type Evaluation =
  | { readonly ok: true /** Decimal digits, exact for integers of up to 64 digits. */; readonly value: string }
  | {
      readonly ok: false;
      readonly problem: 'unreadable' | 'not-allowed' | 'too-complex' | 'no-result' | 'not-real';
      readonly detail: string;
    };

/** Works out a formula of numbers, operators and the usual functions. Nothing else can be reached from one. */
export interface ExpressionEvaluator {
  evaluate(formula: string): Promise<Evaluation>;
}

/** Turns an amount of one unit into another; null when the two measure different things. Units as in `unit-names.ts`. */
export interface UnitConverter {
  convert(amount: { value: number; from: string; to: string }): Promise<number | null>;
}

/** A passage of a tenant's document that answers a query, best first. */
export interface FoundPassage {
  readonly documentId: string;
  readonly chunkId: string;
  readonly title: string;
  /** Headings above the passage, outermost first, joined by ' › '; '' at the top of a document. */
  readonly section: string;
  /** The lines that answer, as Markdown. */
  readonly excerpt: string;
  readonly score: number;
}

/** The tenant's documents, as the knowledge module searches them. */
export interface PassageSearch {
  /** `onMeaningMissed` is told when only the words could be searched although a model of embeddings serves. */
  search(request: { scope: CallScope; query: string; limit: number; onMeaningMissed?: () => void }): Promise<readonly FoundPassage[]>;
}

/** A task that a run has handed on, and what came of it. */
export interface HandedTask {
  readonly runId: string;
  readonly sessionId: string;
  readonly task: string;
  /** null: it is at work, waits, or has not begun. */
  readonly outcome: {
    readonly state: 'FINISH_OK' | 'FINISH_ERROR' | 'TIMEOUT' | 'CANCELLED';
    readonly answer: string;
    readonly error: string | null;
  } | null;
}

/** Runs for the tasks of another run, each in a session of its own. */
export interface TaskRunner {
  /**
   * Starts the tasks of this call where that has not been done, and gives them as they stand, in order. Throws `conflict`
   * when the run has ended, was stopped, or is none, and `limit_reached` where it may not hand on any more.
   */
  handOn(call: {
    readonly scope: CallScope;
    readonly runId: Id<'run'>;
    readonly invocationId: Id<'invocation'>;
    readonly tasks: readonly string[];
  }): Promise<readonly HandedTask[]>;
}

/** Something a person asked to be remembered, across sessions. */
export interface RememberedFact {
  readonly id: string;
  readonly text: string;
  readonly createdAt: Date;
}

/** A person's facts in one tenant. */
export interface FactMemory {
  /** One fact for one invocation, however often it is repeated. */
  remember(request: { scope: CallScope; text: string; runId: Id<'run'>; invocationId: Id<'invocation'> }): Promise<RememberedFact>;
  /** The facts that match, best first; all of them, newest first, without a query. */
  recall(request: { scope: CallScope; query: string | null }): Promise<readonly RememberedFact[]>;
  /** Removes the facts that match and returns them. */
  forget(request: { scope: CallScope; query: string; runId: Id<'run'> }): Promise<readonly RememberedFact[]>;
}
