import type { Lexeme, LexemeKind } from './arithmetic-lexemes.ts';
import { applyPostfix, call, combine, type Term, wrap } from './formula-term.ts';

const NESTING_LIMIT = 40;

/** Recursive descent over the lexemes; every method returns null where the text stops being arithmetic. */
export class ArithmeticReader {
  readonly #lexemes: readonly Lexeme[];
  #at = 0;
  #depth = 0;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  readFrom(index: number): { term: Term; next: number } | null {
    this.#at = index;
    const term = this.#list() ?? this.#restart(index);
    return term ? { term, next: this.#at } : null;
  }

  #restart(index: number): Term | null {
    this.#at = index;
    return this.#sum();
  }

  #peek(offset = 0): LexemeKind | null {
    return this.#lexemes[this.#at + offset]?.kind ?? null;
  }

  #take(kind: LexemeKind): Lexeme | null {
    const lexeme = this.#lexemes[this.#at];
    if (lexeme?.kind !== kind) return null;
    this.#at += 1;
    return lexeme;
  }

  /** `3、4和5的平均数`: the operation comes last. */
  #list(): Term | null {
    const items = this.#items();
    const result = items && items.length > 1 ? this.#take('list-result') : null;
    return items && result ? combine(result.value, items) : null;
  }

  #items(): Term[] | null {
    const items: Term[] = [];
    for (;;) {
      const mark = this.#at;
      const separated = items.length === 0 || this.#separator();
      const item = separated ? this.#sum() : null;
      if (!item) {
        this.#at = mark;
        return items.length > 0 ? items : null;
      }
      items.push(item);
    }
  }

  #separator(): boolean {
    const comma = this.#take('comma') !== null;
    return this.#take('and') !== null || comma;
  }

  #sum(): Term | null {
    let left = this.#product();
    while (left && (this.#peek() === 'plus' || this.#peek() === 'minus')) {
      const mark = this.#at;
      const operator = this.#take('plus') ? '+' : (this.#take('minus'), '-');
      const right = this.#product();
      if (!right) {
        this.#at = mark;
        return left;
      }
      left =
        right.percent !== undefined
          ? { formula: `${wrap(left, 2)} * (1 ${operator} ${right.percent} / 100)`, binding: 2, operations: left.operations + 1 }
          : { formula: `${left.formula} ${operator} ${wrap(right, 2)}`, binding: 1, operations: left.operations + right.operations + 1 };
    }
    return left;
  }

  #product(): Term | null {
    let left = this.#unary();
    for (;;) {
      const mark = this.#at;
      const operator = this.#productOperator(left);
      const right = left && operator ? this.#unary() : null;
      if (!left || !operator || !right) {
        this.#at = mark;
        return left;
      }
      left = { formula: `${wrap(left, 2)} ${operator} ${wrap(right, 3)}`, binding: 2, operations: left.operations + right.operations + 1 };
    }
  }

  #productOperator(left: Term | null): string | null {
    if (this.#take('times')) return '*';
    if (this.#take('divided')) return '/';
    if (this.#take('modulo')) return 'mod';
    // "1/3 of 90", but not "2 of 5"; a percentage with "of" is read with the percentage.
    if (left && left.operations > 0 && this.#lexemes[this.#at]?.value === 'of') return this.#take('of') && '*';
    // 2(3 + 4)
    return this.#peek() === 'open' && this.#peek(-1) === 'number' ? '*' : null;
  }

  #unary(): Term | null {
    this.#depth += 1;
    try {
      if (this.#depth > NESTING_LIMIT) return null;
      if (this.#take('minus')) {
        const term = this.#unary();
        return term && { formula: `-${wrap(term, 3)}`, binding: 2, operations: term.operations };
      }
      if (this.#take('plus')) return this.#unary();
      return this.#power();
    } finally {
      this.#depth -= 1;
    }
  }

  #power(): Term | null {
    const base = this.#postfixed();
    const mark = this.#at;
    if (!base || !this.#take('power')) return base;
    const exponent = this.#unary();
    if (exponent)
      return { formula: `${wrap(base, 4)}^${wrap(exponent, 4)}`, binding: 3, operations: base.operations + exponent.operations + 1 };
    this.#at = mark;
    return base;
  }

  #postfixed(): Term | null {
    let term = this.#primary();
    while (term) {
      const postfix = this.#take('postfix');
      if (postfix) term = applyPostfix(term, postfix.value);
      else if (this.#isFactorialAfter()) term = applyPostfix(term, '!');
      else if (this.#peek() === 'percent' && term.operations === 0) term = this.#percentage(term);
      else {
        const part = this.#chinesePart(term);
        if (!part) return term;
        term = part;
      }
    }
    return term;
  }

  /** "7 factorial": the function's name after its operand. */
  #isFactorialAfter(): boolean {
    const next = this.#peek(1);
    if (this.#lexemes[this.#at]?.value !== 'factorial' || next === 'number' || next === 'open' || next === 'of') return false;
    return this.#take('function') !== null;
  }

  /** 2340的17%, 2340的百分之十七. */
  #chinesePart(whole: Term): Term | null {
    const mark = this.#at;
    if (this.#take('of')) {
      const portion = this.#take('percent-of')
        ? this.#take('number')
        : this.#peek() === 'number' && this.#peek(1) === 'percent'
          ? this.#take('number')
          : null;
      if (portion) {
        this.#take('percent');
        return { formula: `${wrap(whole, 2)} * ${portion.value} / 100`, binding: 2, operations: whole.operations + 1 };
      }
    }
    this.#at = mark;
    return null;
  }

  /** `17% of 2,340`, `15% tip on 84.50`, `20% off 80`, or a bare `17%`. `17 % 5` is a remainder. */
  #percentage(term: Term): Term {
    const sign = this.#take('percent');
    const mark = this.#at;
    let skipped = 0;
    while (this.#peek() === 'word' && skipped < 2) {
      this.#at += 1;
      skipped += 1;
    }
    const relation = this.#take('of') ?? this.#take('off');
    const whole = relation ? this.#unary() : null;
    if (relation && whole) {
      const share = `${term.formula} / 100`;
      const formula = relation.kind === 'off' ? `${wrap(whole, 2)} * (1 - ${share})` : `${share} * ${wrap(whole, 3)}`;
      return { formula, binding: 2, operations: whole.operations + 1 };
    }
    this.#at = mark;
    if (sign?.value === '%' && this.#peek() === 'number') {
      const divisor = this.#primary();
      if (divisor) return { formula: `${term.formula} mod ${divisor.formula}`, binding: 2, operations: 1 };
    }
    return { formula: `${term.formula} / 100`, binding: 2, operations: 0, percent: term.formula };
  }

  #primary(): Term | null {
    const number = this.#take('number') ?? this.#take('constant');
    if (number) return { formula: number.value, binding: 4, operations: 0 };
    const mark = this.#at;
    const term = this.#group() ?? this.#chinesePercentage() ?? this.#fraction() ?? this.#function() ?? this.#listFunction() ?? this.#verb();
    if (!term) this.#at = mark;
    return term;
  }

  #group(): Term | null {
    if (!this.#take('open')) return null;
    const term = this.#sum();
    return term && this.#take('close') ? { ...term, formula: `(${term.formula})`, binding: 4 } : null;
  }

  #chinesePercentage(): Term | null {
    if (!this.#take('percent-of')) return null;
    const number = this.#take('number');
    return number && { formula: `${number.value} / 100`, binding: 2, operations: 0, percent: number.value };
  }

  #fraction(): Term | null {
    const fraction = this.#take('fraction');
    const whole = fraction && this.#unary();
    return fraction && whole ? { formula: `${fraction.value} * ${wrap(whole, 3)}`, binding: 2, operations: whole.operations + 1 } : null;
  }

  #function(): Term | null {
    const name = this.#take('function');
    if (!name) return null;
    this.#take('of');
    if (this.#peek() !== 'open') {
      const operand = this.#unary();
      return operand && call(name.value, [operand]);
    }
    return this.#call(name.value);
  }

  #call(name: string): Term | null {
    this.#take('open');
    const items = this.#items();
    return items && this.#take('close') ? call(name, items) : null;
  }

  #listFunction(): Term | null {
    const name = this.#take('list-function');
    if (!name) return null;
    if (this.#peek() === 'open') {
      this.#take('open');
      const items = this.#items();
      return items && this.#take('close') ? combine(name.value, items) : null;
    }
    const items = this.#items();
    return items && items.length > 1 ? combine(name.value, items) : null;
  }

  /** `add 3 and 4`, `subtract 4 from 10`, `multiply 6 by 7`, `divide 9 by 3`. */
  #verb(): Term | null {
    const verb = this.#take('verb');
    const left = verb && this.#product();
    if (!verb || !left) return null;
    const link =
      this.#take('by') ?? this.#take('from') ?? this.#take('and') ?? (this.#lexemes[this.#at]?.value === 'to' ? this.#take('word') : null);
    const right = link && this.#product();
    if (!link || !right) return null;
    const [first, second] = link.kind === 'from' ? [right, left] : [left, right];
    const operator = { plus: '+', minus: '-', times: '*', divided: '/' }[verb.value] ?? '+';
    const binding = verb.value === 'times' || verb.value === 'divided' ? 2 : 1;
    return {
      formula: `${wrap(first, binding)} ${operator} ${wrap(second, binding + 1)}`,
      binding,
      operations: first.operations + second.operations + 1,
    };
  }
}
