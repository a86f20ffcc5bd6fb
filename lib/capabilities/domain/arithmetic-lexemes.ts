import { isWordBoundary, type Span } from './folded-text.ts';
import { findNumbers, parseChineseNumeral } from './numbers-in-text.ts';

/** The smallest parts of arithmetic as people write and say it, in English and Chinese. */
export type LexemeKind =
  | 'number'
  | 'constant'
  | 'plus'
  | 'minus'
  | 'times'
  | 'divided'
  | 'modulo'
  | 'power'
  | 'open'
  | 'close'
  | 'comma'
  | 'and'
  | 'by'
  | 'from'
  | 'percent'
  | 'percent-of'
  | 'of'
  | 'off'
  | 'fraction'
  | 'function'
  | 'list-function'
  | 'list-result'
  | 'verb'
  | 'postfix'
  | 'word';

/** `value` is what the lexeme stands for in a formula: digits, a function's name, the tail of a postfix. */
export interface Lexeme extends Span {
  readonly kind: LexemeKind;
  readonly value: string;
}

/** Splits a folded text; whatever is not arithmetic comes out as `word`. */
export function readLexemes(folded: string): Lexeme[] {
  // 12x5 and 12 × 5 are products; the replacement keeps positions.
  const text = folded
    .replace(/(?<=\d ?)[x×✕✖·](?= ?\d)/g, '*')
    .replaceAll('×', '*')
    .replaceAll('÷', '/')
    .replace(MONEY, ' ');
  const numbers = new Map(findNumbers(text).map((number) => [number.start, number]));
  const lexemes: Lexeme[] = [];
  let position = 0;
  while (position < text.length && lexemes.length < LEXEME_LIMIT) {
    if (/\s/.test(text[position] ?? '')) {
      position += 1;
      continue;
    }
    const lexeme = phraseAt(text, position) ?? numberAt(numbers, position) ?? wordAt(text, position);
    lexemes.push(lexeme);
    position = lexeme.end;
  }
  return lexemes;
}

/** Money is reckoned as the number it is. */
const MONEY = /[$¥€£](?=\d)|(?<=\d)[元块]/g;

/** Longer arithmetic than this is not read from prose. */
const LEXEME_LIMIT = 400;

function numberAt(numbers: ReadonlyMap<number, Span & { readonly digits: string }>, position: number): Lexeme | null {
  const number = numbers.get(position);
  return number ? { kind: 'number', value: number.digits, start: number.start, end: number.end } : null;
}

function wordAt(text: string, start: number): Lexeme {
  const word = /^[\p{Script=Latin}\p{M}]+|^\d+/u.exec(text.slice(start, start + 64))?.[0] ?? text[start] ?? '';
  return { kind: 'word', value: word, start, end: start + Math.max(word.length, 1) };
}

function phraseAt(text: string, start: number): Lexeme | null {
  for (const { pattern, kind, value } of PATTERNS) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match) return { kind, value: value(match), start, end: start + match[0].length };
  }
  for (const { phrase, kind, value } of PHRASES_BY_START.get(text[start] ?? '') ?? []) {
    const end = start + phrase.length;
    if (!text.startsWith(phrase, start)) continue;
    if (/[a-z]/.test(phrase) && !(isWordBoundary(text[start - 1], text[start]) && isWordBoundary(text[end - 1], text[end]))) continue;
    return { kind, value, start, end };
  }
  return null;
}

/** Phrases with a number inside. */
const PATTERNS: readonly { readonly pattern: RegExp; readonly kind: LexemeKind; readonly value: (match: RegExpExecArray) => string }[] = [
  {
    pattern: /打(\d+(?:\.\d+)?)折/y,
    kind: 'postfix',
    value: (match) => (Number(match[1]) < 10 ? ` * ${match[1]} / 10` : ` * ${match[1]} / 100`),
  },
  {
    pattern: /打([一二三四五六七八九])([一二三四五六七八九])?折/y,
    kind: 'postfix',
    value: (match) =>
      ` * ${[match[1], match[2]].map((digit) => (digit ? '零一二三四五六七八九'.indexOf(digit) : '')).join('')} / ${match[2] ? 100 : 10}`,
  },
  {
    pattern: /的?(\d{1,4}|[一二三四五六七八九十百]{1,4})次(?:方|幂)/y,
    kind: 'postfix',
    value: (match) => `^${Number(match[1]) || (parseChineseNumeral(match[1] ?? '') ?? 1)}`,
  },
];

const PHRASES: Readonly<Record<Exclude<LexemeKind, 'number' | 'word'>, Readonly<Record<string, readonly string[]>>>> = {
  constant: { pi: ['pi', 'π', '圆周率'], e: ['e'] },
  plus: { '+': ['+', 'plus', 'added to', '加上', '加'] },
  minus: { '-': ['-', 'minus', '减去', '减掉', '减'] },
  times: { '*': ['*', 'times', 'multiplied by', '乘以', '乘上', '乘'] },
  divided: { '/': ['/', 'divided by', 'over', '除以', '除于'] },
  modulo: { mod: ['mod', 'modulo', '取模', '取余'] },
  power: { '^': ['^', '**', 'to the power of', 'raised to the power of', 'raised to'] },
  open: { '(': ['('] },
  close: { ')': [')'] },
  comma: { ',': [',', '、'] },
  and: { and: ['and', '和', '与', '跟', '&'] },
  by: { by: ['by'] },
  from: { from: ['from'] },
  percent: { '%': ['%', 'percent', 'per cent', 'pct'] },
  'percent-of': { '%': ['百分之'] },
  of: { of: ['of'], on: ['on'], 的: ['的'] },
  off: { off: ['off'] },
  fraction: {
    '1/2': ['half of', 'half', 'one half of'],
    '1/3': ['a third of', 'one third of'],
    '1/4': ['a quarter of', 'one quarter of'],
    '2/3': ['two thirds of'],
    '3/4': ['three quarters of'],
    '2': ['double', 'twice'],
    '3': ['triple'],
  },
  function: {
    sqrt: ['sqrt', 'square root of', 'the square root of', '√', '根号'],
    cbrt: ['cbrt', 'cube root of', 'the cube root of', '立方根号'],
    factorial: ['factorial of', 'factorial'],
    abs: ['abs', 'absolute value of'],
    log: ['ln', 'natural log of', 'log'],
    log10: ['log10', 'log base 10 of'],
    log2: ['log2', 'log base 2 of'],
    sin: ['sin', 'sine of'],
    cos: ['cos', 'cosine of'],
    tan: ['tan', 'tangent of'],
    asin: ['asin', 'arcsin'],
    acos: ['acos', 'arccos'],
    atan: ['atan', 'arctan'],
    exp: ['exp'],
    round: ['round'],
    floor: ['floor'],
    ceil: ['ceil'],
  },
  'list-function': {
    sum: ['sum of', 'the sum of', 'sum', 'total of'],
    mean: ['average of', 'the average of', 'mean of', 'the mean of', 'mean', 'average'],
    product: ['product of', 'the product of'],
    difference: ['difference between', 'the difference between'],
    max: ['max', 'maximum of', 'largest of'],
    min: ['min', 'minimum of', 'smallest of'],
    gcd: ['gcd', 'greatest common divisor of'],
    lcm: ['lcm', 'least common multiple of'],
  },
  'list-result': {
    mean: ['的平均数', '的平均值', '的均值', '平均'],
    sum: ['的总和', '的和', '之和'],
    product: ['的乘积', '的积', '之积'],
    difference: ['的差', '之差'],
    max: ['的最大值'],
    min: ['的最小值'],
  },
  verb: { plus: ['add'], minus: ['subtract', 'deduct'], times: ['multiply'], divided: ['divide'] },
  postfix: {
    '^2': ['squared', '的平方', '平方', '²', 'to the power of two'],
    '^3': ['cubed', '的立方', '立方', '³'],
    '!': ['!', '的阶乘', '阶乘'],
    ' / 2': ['的一半'],
    sqrt: ['的平方根', '开平方', '开根号', '开方'],
    cbrt: ['的立方根', '开立方'],
  },
};

const PHRASES_BY_START: ReadonlyMap<string, readonly { readonly phrase: string; readonly kind: LexemeKind; readonly value: string }[]> =
  indexPhrases();

function indexPhrases() {
  const byStart = new Map<string, { phrase: string; kind: LexemeKind; value: string }[]>();
  for (const [kind, meanings] of Object.entries(PHRASES) as [Exclude<LexemeKind, 'number' | 'word'>, Record<string, readonly string[]>][]) {
    for (const [value, phrases] of Object.entries(meanings)) {
      for (const phrase of phrases) {
        const start = phrase.slice(0, 1);
        byStart.set(start, [...(byStart.get(start) ?? []), { phrase, kind, value }]);
      }
    }
  }
  for (const entries of byStart.values()) entries.sort((a, b) => b.phrase.length - a.phrase.length);
  return byStart;
}
