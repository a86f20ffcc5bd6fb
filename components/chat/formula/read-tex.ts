import {
  inAlphabet,
  isAlphabet,
  TEX_ACCENTS,
  TEX_FUNCTIONS,
  TEX_IGNORED,
  TEX_INTEGRALS,
  TEX_LARGE,
  TEX_LETTERS,
  TEX_LIMITS,
  TEX_OPERATORS,
  TEX_SPACES,
  TEX_UNDER,
} from './tex-symbols.ts';

/** An element of MathML, which browsers set by themselves. */
export interface MathNode {
  readonly tag: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children: readonly (MathNode | string)[];
}

/** TeX that is not understood: its source is shown instead. */
class NotUnderstood extends Error {}

/** Formulas nest this deep at most: their text comes from a model. */
const DEPTH_LIMIT = 40;
const LENGTH_LIMIT = 4_000;
const TOKEN = /\\[a-zA-Z]+\*?|\\[\s\S]|\d+(?:[.,]\d+)*|[\s\S]/gu;

/** Reads a formula as models write them. Null for what is not understood, which is better shown as its source. */
export function readTex(tex: string): MathNode | null {
  if (tex.length > LENGTH_LIMIT) return null;
  try {
    const reader = new TexReader(tex.match(TOKEN) ?? []);
    const nodes = reader.readUntil([]);
    return row(nodes);
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

const FENCES: Readonly<Record<string, readonly [string, string]>> = {
  pmatrix: ['(', ')'],
  bmatrix: ['[', ']'],
  Bmatrix: ['{', '}'],
  vmatrix: ['|', '|'],
  Vmatrix: ['‖', '‖'],
  cases: ['{', ''],
};
const TABLES: ReadonlySet<string> = new Set([
  ...Object.keys(FENCES),
  'matrix',
  'smallmatrix',
  'array',
  'aligned',
  'align',
  'gathered',
  'split',
]);

class TexReader {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  /** Reads until one of these, which is taken; until the end where there is none of them to come. */
  readUntil(ends: readonly string[]): MathNode[] {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) throw new NotUnderstood();
    const nodes: MathNode[] = [];
    for (;;) {
      const token = this.#peek();
      if (token === undefined) {
        if (ends.length > 0) throw new NotUnderstood();
        break;
      }
      if (ends.includes(token)) {
        this.#at += 1;
        break;
      }
      if (token === '}' || token === '&' || token === String.raw`\\` || token === String.raw`\right`) throw new NotUnderstood();
      const node = this.#readScripted();
      if (node) nodes.push(node);
    }
    this.#depth -= 1;
    return nodes;
  }

  #peek(): string | undefined {
    while (/^\s+$/.test(this.#tokens[this.#at] ?? '')) this.#at += 1;
    return this.#tokens[this.#at];
  }

  #take(): string {
    const token = this.#peek();
    if (token === undefined) throw new NotUnderstood();
    this.#at += 1;
    return token;
  }

  /** One thing with what stands above and below it. */
  #readScripted(): MathNode | null {
    const isBare = this.#peek() === '^' || this.#peek() === '_';
    const base = isBare ? { node: row([]), hasLimits: false } : this.#readBase();
    if (!base) return null;
    let below: MathNode | null = null;
    let above: MathNode | null = null;
    for (let token = this.#peek(); token === '^' || token === '_' || token === "'"; token = this.#peek()) {
      this.#at += 1;
      if (token === "'") above = above ? row([above, operator('′')]) : operator('′');
      else if (token === '^') above = above ? row([above, this.#readArgument()]) : this.#readArgument();
      else if (below) throw new NotUnderstood();
      else below = this.#readArgument();
    }
    if (!below && !above) return base.node;
    const [under, over, both] = base.hasLimits ? ['munder', 'mover', 'munderover'] : ['msub', 'msup', 'msubsup'];
    if (below && above) return element(both ?? '', base.node, below, above);
    return below ? element(under ?? '', base.node, below) : element(over ?? '', base.node, above ?? row([]));
  }

  #readBase(): { node: MathNode; hasLimits: boolean } | null {
    const token = this.#take();
    if (token.startsWith('\\')) return this.#readCommand(token.slice(1));
    if (token === '{') return plain(row(this.readUntil(['}'])));
    if (/^\d/.test(token)) return plain(element('mn', token));
    if (/^\p{L}$/u.test(token)) return plain(element('mi', token));
    if (token === '~') return plain(space(0.25));
    if (token === '$' || token === '#' || token === '%') throw new NotUnderstood();
    return plain(operator(token === '-' ? '−' : token === '*' ? '∗' : token, '()[]|/'.includes(token)));
  }

  #readCommand(name: string): { node: MathNode; hasLimits: boolean } | null {
    if (TEX_IGNORED.has(name)) return null;
    const letter = TEX_LETTERS.get(name);
    if (letter) return plain(element('mi', letter));
    const sign = TEX_OPERATORS.get(name);
    if (sign) return plain(operator(sign));
    const large = TEX_LARGE.get(name);
    if (large) return { node: operator(large), hasLimits: true };
    const integral = TEX_INTEGRALS.get(name);
    if (integral) return plain(operator(integral));
    if (TEX_FUNCTIONS.has(name)) return plain(element('mi', name));
    if (TEX_LIMITS.has(name)) return { node: element('mo', name), hasLimits: true };
    const width = TEX_SPACES.get(name);
    if (width !== undefined) return plain(space(width));
    if (isAlphabet(name)) return plain(element('mi', inAlphabet(name, this.#readText())));
    const accent = TEX_ACCENTS.get(name);
    if (accent)
      return {
        node: { tag: 'mover', attributes: { accent: 'true' }, children: [this.#readArgument(), operator(accent)] },
        hasLimits: name === 'overbrace',
      };
    const under = TEX_UNDER.get(name);
    if (under) return { node: element('munder', this.#readArgument(), operator(under)), hasLimits: true };
    if ('{}%$&#_|'.includes(name)) return plain(operator(name === '|' ? '‖' : name, true));
    return plain(this.#readStructure(name));
  }

  #readStructure(name: string): MathNode {
    switch (name) {
      case 'frac':
      case 'dfrac':
      case 'tfrac':
      case 'cfrac':
        return element('mfrac', this.#readArgument(), this.#readArgument());
      case 'binom': {
        const pair: MathNode = { tag: 'mfrac', attributes: { linethickness: '0' }, children: [this.#readArgument(), this.#readArgument()] };
        return row([operator('('), pair, operator(')')]);
      }
      case 'sqrt': {
        if (this.#peek() !== '[') return element('msqrt', this.#readArgument());
        this.#at += 1;
        const degree = row(this.readUntil([']']));
        return element('mroot', this.#readArgument(), degree);
      }
      case 'text':
      case 'textbf':
      case 'textit':
      case 'textrm':
      case 'mbox':
        return element('mtext', this.#readText());
      case 'mathrm':
      case 'operatorname':
      case 'mathit':
        return { tag: 'mi', attributes: { mathvariant: 'normal' }, children: [this.#readText()] };
      case 'overset':
      case 'stackrel': {
        const above = this.#readArgument();
        return element('mover', this.#readArgument(), above);
      }
      case 'left': {
        const open = this.#readDelimiter();
        const inner = this.readUntil([String.raw`\right`]);
        return row([operator(open, true), ...inner, operator(this.#readDelimiter(), true)]);
      }
      case 'begin':
        return this.#readTable();
      default:
        throw new NotUnderstood();
    }
  }

  #readDelimiter(): string {
    const token = this.#take();
    if (token === '.') return '';
    if (!token.startsWith('\\')) return token;
    const name = token.slice(1);
    return name === '|' ? '‖' : (TEX_OPERATORS.get(name) ?? name);
  }

  #readTable(): MathNode {
    const name = this.#readText().replace(/\*$/, '');
    if (!TABLES.has(name)) throw new NotUnderstood();
    if (name === 'array') this.#readText();
    const rows: MathNode[][] = [[]];
    let cell: MathNode[] = [];
    for (;;) {
      const token = this.#peek();
      if (token === undefined) throw new NotUnderstood();
      if (token === '&' || token === String.raw`\\` || token === String.raw`\end`) {
        this.#at += 1;
        rows.at(-1)?.push(element('mtd', ...cell));
        cell = [];
        if (token === String.raw`\\`) rows.push([]);
        if (token === String.raw`\end`) break;
        continue;
      }
      if (token === '}' || token === String.raw`\right`) throw new NotUnderstood();
      const node = this.#readScripted();
      if (node) cell.push(node);
    }
    this.#readText();
    const filled = rows.filter((cells) => cells.some(({ children }) => children.length > 0));
    const table = element('mtable', ...filled.map((cells) => element('mtr', ...cells)));
    const [open = '', close = ''] = FENCES[name] ?? [];
    return open === '' ? table : row([operator(open, true), table, operator(close, true)]);
  }

  #readArgument(): MathNode {
    if (this.#peek() === '{') {
      this.#at += 1;
      return row(this.readUntil(['}']));
    }
    const base = this.#readBase();
    if (!base) throw new NotUnderstood();
    return base.node;
  }

  /** The characters of a group, blanks included. */
  #readText(): string {
    const first = this.#take();
    if (first !== '{') return first.startsWith('\\') ? (TEX_LETTERS.get(first.slice(1)) ?? '') : first;
    let text = '';
    for (let depth = 1; ; this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (token === undefined) throw new NotUnderstood();
      if (token === '{') depth += 1;
      if (token === '}') depth -= 1;
      if (depth === 0) break;
      text += token.startsWith('\\') ? (TEX_LETTERS.get(token.slice(1)) ?? token.slice(1)) : token;
    }
    this.#at += 1;
    return text;
  }
}

function element(tag: string, ...children: (MathNode | string)[]): MathNode {
  return { tag, children };
}

function row(nodes: readonly MathNode[]): MathNode {
  const [only] = nodes;
  return nodes.length === 1 && only ? only : { tag: 'mrow', children: nodes };
}

function operator(sign: string, isFence = false): MathNode {
  return isFence ? { tag: 'mo', attributes: { fence: 'true' }, children: [sign] } : element('mo', sign);
}

function space(em: number): MathNode {
  return { tag: 'mspace', attributes: { width: `${em}em` }, children: [] };
}

function plain(node: MathNode): { node: MathNode; hasLimits: boolean } {
  return { node, hasLimits: false };
}
