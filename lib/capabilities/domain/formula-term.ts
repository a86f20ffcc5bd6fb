/** A formula under construction. `binding`: 4 atom, 3 power, 2 product, 1 sum. */
export interface Term {
  readonly formula: string;
  readonly binding: number;
  readonly operations: number;
  /** The percentage this term is, when it is nothing else: `200 + 10%` means 220. */
  readonly percent?: string;
}

/** The term, in brackets unless it binds at least as strongly as asked. */
export function wrap(term: Term, atLeast: number): string {
  return term.binding >= atLeast ? term.formula : `(${term.formula})`;
}

/** `squared`, `!`, ` / 2` and the like, applied. */
export function applyPostfix(term: Term, postfix: string): Term {
  const operations = term.operations + 1;
  if (postfix === 'sqrt' || postfix === 'cbrt') return { formula: `${postfix}(${term.formula})`, binding: 4, operations };
  if (postfix.startsWith(' ')) return { formula: `${wrap(term, 2)}${postfix}`, binding: 2, operations };
  return { formula: `${wrap(term, 4)}${postfix}`, binding: 3, operations };
}

export function call(name: string, args: readonly Term[]): Term {
  return { formula: `${name}(${args.map((term) => term.formula).join(', ')})`, binding: 4, operations: sumOperations(args) + 1 };
}

/** `difference` and `product` have operators, the rest are functions of a list. */
export function combine(name: string, items: readonly Term[]): Term {
  const operations = sumOperations(items) + 1;
  if (name === 'product') return { formula: items.map((term) => wrap(term, 3)).join(' * '), binding: 2, operations };
  if (name !== 'difference') return call(name, items);
  return { formula: `abs(${items.map((term) => wrap(term, 2)).join(' - ')})`, binding: 4, operations };
}

function sumOperations(terms: readonly Term[]): number {
  return terms.reduce((total, term) => total + term.operations, 0);
}
