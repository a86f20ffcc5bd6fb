import { CHINESE_KEPT_WORDS, CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS } from '../domain/filler-words.ts';
import { foldText, type Span } from '../domain/folded-text.ts';
import { stemEnglish } from './english-stem.ts';

/**
 * A token and where it stands. `pair` and `character` come from Chinese and Japanese runs, which have no spaces; `lone` is a
 * character that stands by itself between words that carry no topic (能借几本: 借), and so is a word.
 */
export interface Token extends Span {
  readonly text: string;
  readonly kind: 'word' | 'number' | 'pair' | 'character' | 'lone';
}

/**
 * The tokens of a text, for indexing and searching alike. Words in lower case, without accents, stemmed when English;
 * numbers without thousands separators; Chinese and Japanese runs as single characters and as overlapping pairs. Words
 * that carry no topic are left out in both languages. Total: any string has tokens, broken Unicode and emoji have none.
 */
export function tokenize(text: string): string[] {
  return scanTokens(text.toWellFormed().normalize('NFKC')).map((token) => token.text);
}

/** The tokens with their places in `text`, which is matched as it is (fold it for full-width forms). */
export function scanTokens(text: string): Token[] {
  const folded = foldText(text);
  const tokens: Token[] = [];
  for (const match of folded.matchAll(TOKEN)) {
    const start = match.index;
    const { run, number } = match.groups ?? {};
    if (run !== undefined) scanRun(run, start, tokens);
    else if (number !== undefined) scanNumber(number, start, tokens);
    else scanWord(match[0], start, tokens);
  }
  return withJoinedWords(folded, tokens);
}

/** `Wi-Fi` is also found as `wifi`, `e-mail` as `email`. */
function withJoinedWords(folded: string, tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, index) => {
    const next = tokens[index + 1];
    if (token.kind !== 'word' || next?.kind !== 'word' || folded[token.end] !== '-' || next.start !== token.end + 1) return [token];
    const joined = folded.slice(token.start, token.end) + folded.slice(next.start, next.end);
    return joined.length > JOINED_LENGTH_LIMIT
      ? [token]
      : [token, { text: stemEnglish(removeAccents(joined)), kind: 'word', start: token.start, end: next.end }];
  });
}

const JOINED_LENGTH_LIMIT = 24;

const TOKEN =
  /(?<run>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+)|(?<number>\d+(?:[.,]\d+)*)|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}])(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])*(?:'(?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}]))?/gu;

/** Postgres refuses index entries of more than a third of a page, and nobody searches for longer words. */
const TOKEN_LENGTH_LIMIT = 64;

function scanWord(word: string, start: number, tokens: Token[]): void {
  const end = start + word.length;
  const bare = removeAccents(word.replace(/'(?:s|t|re|ve|ll|d|m)$/, ''));
  if (ENGLISH_STOP_WORDS.has(bare)) return;
  tokens.push({ text: stemEnglish(bare).slice(0, TOKEN_LENGTH_LIMIT), kind: 'word', start, end });
}

function removeAccents(word: string): string {
  return /^\p{ASCII}*$/u.test(word) || !/\p{Script=Latin}/u.test(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '');
}

function scanNumber(number: string, start: number, tokens: Token[]): void {
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number);
  for (const part of (isGrouped ? number.replaceAll(',', '') : number).split(',')) {
    const end = start + (isGrouped ? number.length : part.length);
    if (part !== '') tokens.push({ text: part.slice(0, TOKEN_LENGTH_LIMIT), kind: 'number', start, end });
    start = end + 1;
  }
}

function scanRun(run: string, start: number, tokens: Token[]): void {
  for (const piece of splitAtStopWords(run)) {
    const characters = [...piece.text];
    let position = start + piece.offset;
    characters.forEach((character, index) => {
      const end = position + character.length;
      tokens.push({ text: character, kind: characters.length === 1 ? 'lone' : 'character', start: position, end });
      const next = characters[index + 1];
      if (next !== undefined) tokens.push({ text: character + next, kind: 'pair', start: position, end: end + next.length });
      position = end;
    });
  }
}

function splitAtStopWords(run: string): { text: string; offset: number }[] {
  const pieces: { text: string; offset: number }[] = [];
  let from = 0;
  let position = 0;
  const cut = (end: number) => {
    if (end > from) pieces.push({ text: run.slice(from, end), offset: from });
  };
  while (position < run.length) {
    const word = longestKnownWord(run, position);
    if (word?.isStop) {
      cut(position);
      from = position + word.length;
    }
    position += word?.length ?? 1;
  }
  cut(run.length);
  return pieces;
}

const KNOWN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...CHINESE_STOP_WORDS.map((word) => [word, true] as const),
  ...CHINESE_KEPT_WORDS.map((word) => [word, false] as const),
]);
const LONGEST_KNOWN_WORD = Math.max(...[...KNOWN_WORDS.keys()].map((word) => word.length));

function longestKnownWord(run: string, position: number): { length: number; isStop: boolean } | null {
  for (let length = Math.min(LONGEST_KNOWN_WORD, run.length - position); length > 0; length -= 1) {
    const isStop = KNOWN_WORDS.get(run.slice(position, position + length));
    if (isStop !== undefined) return { length, isStop };
  }
  return null;
}
