/** A state table: which state may follow which. */
export interface Transitions<State extends string> {
  readonly states: readonly State[];
  can(from: State, to: State): boolean;
  /** Throws `IllegalTransition` unless `to` may follow `from`. */
  assert(from: State, to: State): void;
  isTerminal(state: State): boolean;
}

export class IllegalTransition extends Error {
  readonly from: string;
  readonly to: string;

  constructor(thing: string, from: string, to: string) {
    super(`${thing}: ${from} -> ${to} is not a legal transition`);
    this.name = 'IllegalTransition';
    this.from = from;
    this.to = to;
  }
}

/** Declares the legal moves of one kind of thing. A misspelt target does not compile; a state without moves is terminal. */
export function defineTransitions<const State extends string>(
  thing: string,
  table: { readonly [From in State]: readonly NoInfer<State>[] },
): Transitions<State> {
  const states = Object.keys(table) as State[];
  return {
    states,
    can: (from, to) => table[from].includes(to),
    assert(from, to) {
      if (!table[from].includes(to)) throw new IllegalTransition(thing, from, to);
    },
    isTerminal: (state) => table[state].length === 0,
  };
}
