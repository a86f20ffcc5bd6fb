import { isWordBoundary, type Span } from './folded-text.ts';

/** A number found in a text: digits with thousands separators, Chinese numerals or English number words. */
export interface NumberMatch extends Span {
  readonly value: number;
  /** The number in plain digits: what was written, without separators. Exact where `value` may be rounded. */
  readonly digits: string;
}

/** Every number in a folded text, left to right. Parts of longer words (`b2b`), times and dates count as numbers too. */
export function findNumbers(folded: string): NumberMatch[] {
  const matches = [...findDigits(folded), ...findChineseNumerals(folded), ...findNumberWords(folded)];
  return matches.sort((a, b) => a.start - b.start);
}

const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['万', 1e4],
  ['亿', 1e8],
  ['千', 1e3],
  ['百', 1e2],
]);

/** Digits; `2,340` and `1,234,567.5` are one number, `3,4` are two. */
const DIGITS = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?/g;

function findDigits(folded: string): NumberMatch[] {
  const matches: NumberMatch[] = [];
  for (const match of folded.matchAll(DIGITS)) {
    const start = match.index;
    const written = match[0].replaceAll(',', '').slice(0, 80);
    const end = start + match[0].length;
    if (start > 0 && !isWordBoundary(folded[start - 1], folded[start])) continue;
    const factor = MULTIPLIERS.get(folded[end] ?? '') ?? (/^k(?![a-z])/.test(folded.slice(end, end + 2)) ? 1e3 : undefined);
    const value = Number(written) * (factor ?? 1);
    matches.push(
      factor === undefined ? { start, end, value, digits: written } : { start, end: end + 1, value, digits: plainDigits(value) },
    );
  }
  return matches;
}

function plainDigits(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

const CHINESE_DIGITS: ReadonlyMap<string, number> = new Map(
  [...'零一二三四五六七八九']
    .map((character, value) => [character, value] as const)
    .concat([
      ['两', 2],
      ['〇', 0],
    ]),
);
const CHINESE_RUN = /[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?/g;
/** A lone numeral is a number only before something that is counted; 一下, 一起, 万一 and the like are not. */
const COUNTED =
  /^(?:个|位|人|名|天|周|月|年|小时|分钟|秒|元|块|美元|欧元|日元|英镑|公斤|千克|克|斤|公里|千米|米|厘米|毫米|英里|英尺|英寸|磅|盎司|升|毫升|加仑|摄氏度|华氏度|度|次|张|本|份|台|件|箱|倍|杯|字节|码|亩|公顷|平方|立方|加|减|乘|除|的平方|的立方)/;

function findChineseNumerals(folded: string): NumberMatch[] {
  const matches: NumberMatch[] = [];
  for (const match of folded.matchAll(CHINESE_RUN)) {
    const start = match.index;
    const end = start + match[0].length;
    if (/\d$/.test(folded.slice(Math.max(0, start - 1), start))) continue;
    const parsed = parseChineseNumeral(match[0]);
    const isCounted =
      match[0].length > 1 || COUNTED.test(folded.slice(end, end + 4)) || /[加减乘以除]$/.test(folded.slice(Math.max(0, start - 1), start));
    if (parsed !== null && isCounted) matches.push({ start, end, value: parsed, digits: plainDigits(parsed) });
  }
  return matches;
}

/** `三百五十` is 350, `两万三千` 23000, `二〇二五` 2025, `三点五` 3.5; null for what is no numeral (`百`, `万一`). */
export function parseChineseNumeral(text: string): number | null {
  const [whole = '', fraction] = text.split('点');
  const integer = parseChineseInteger(whole);
  if (integer === null || fraction === undefined) return integer;
  const decimals = [...fraction].map((character) => CHINESE_DIGITS.get(character));
  return decimals.includes(undefined) ? null : Number(`${integer}.${decimals.join('')}`);
}

function parseChineseInteger(text: string): number | null {
  if (text === '' || text.length > 20) return null;
  const characters = [...text];
  if (characters.every((character) => CHINESE_DIGITS.has(character))) {
    return Number(characters.map((character) => CHINESE_DIGITS.get(character)).join(''));
  }
  let total = 0;
  let section = 0;
  let digit: number | null = null;
  for (const character of characters) {
    const value = CHINESE_DIGITS.get(character);
    if (value !== undefined) {
      if (digit !== null && digit !== 0) return null;
      digit = value;
      continue;
    }
    if (character === '万' || character === '亿') {
      const part = section + (digit ?? 0);
      if (part === 0) return null;
      total = (total + part) * (character === '万' ? 1e4 : 1e8);
      section = 0;
    } else {
      const unit = character === '十' ? 10 : character === '百' ? 100 : 1000;
      if (digit === null && unit !== 10) return null;
      section += (digit ?? 1) * unit;
    }
    digit = null;
  }
  // 三百五 is 350; 十五 is 15.
  return total + section + (digit ?? 0) * (/百[一二三四五六七八九]$/.test(text) ? 10 : 1);
}

const SMALL: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value] as const),
);
const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
);
const LARGE: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['dozen', 12],
]);
const WORD = `(?:${[...SMALL.keys(), ...TENS.keys(), ...LARGE.keys()].join('|')})`;
const NUMBER_WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:a (?=hundred|thousand|million|dozen))?${WORD}(?:(?:[ -]|(?<=hundred|thousand|million) and )${WORD})*(?![\\p{L}\\p{N}])`,
  'gu',
);

function findNumberWords(folded: string): NumberMatch[] {
  const matches: NumberMatch[] = [];
  for (const match of folded.matchAll(NUMBER_WORDS)) {
    const start = match.index;
    // "which one", "that one": a pronoun.
    if (
      match[0] === 'one' &&
      /(?:which|that|this|no|any|every|the|another|someone|last|next) $/.test(folded.slice(Math.max(0, start - 9), start))
    )
      continue;
    const value = parseNumberWords(match[0]);
    if (value !== null) matches.push({ start, end: start + match[0].length, value, digits: plainDigits(value) });
  }
  return matches;
}

function parseNumberWords(text: string): number | null {
  let total = 0;
  let section = 0;
  for (const word of text.split(/[ -]+/)) {
    const small = SMALL.get(word) ?? TENS.get(word);
    const large = LARGE.get(word);
    if (small !== undefined) section += small;
    else if (word === 'hundred' || word === 'dozen') section = Math.max(section, 1) * (large ?? 1);
    else if (large !== undefined) {
      total += Math.max(section, 1) * large;
      section = 0;
    }
  }
  const value = total + section;
  return Number.isSafeInteger(value) ? value : null;
}
