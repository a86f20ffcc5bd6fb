import type { MeasuredProcess } from './measured-process.ts';

/** One kind of turn of one server: a row of the tables. */
export interface Lane {
  readonly name: string;
  readonly work: string;
  readonly server: MeasuredProcess;
  /** Null when it keeps nothing. */
  readonly database: string | null;
  /** Makes ready, outside what is measured, for this many turns in sessions of their own. */
  prepare(turns: number): Promise<void>;
  /** One turn in the next session, checked. */
  turn(): Promise<TurnTiming>;
  /** Further figures of turns that are over, by name, in ms. */
  inspect?(turns: readonly TurnTiming[]): Promise<Readonly<Record<string, number>>>;
}

export interface TurnTiming {
  readonly sentMs: number;
  readonly totalMs: number;
  /** The user's wall time without what the model took. */
  readonly overheadMs: number;
  /** Likewise up to the first text of the answer. */
  readonly firstTextMs: number;
  /** Points within the turn, as ms since it was sent. */
  readonly points: Readonly<Record<string, number>>;
  /** Names the turn to `inspect`. */
  readonly id: string;
}
