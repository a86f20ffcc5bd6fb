import type { Json } from '#lib/kernel/index.ts';
import { foldText, isWordBoundary, type Span } from './folded-text.ts';

/** A known value found in a text. */
export interface ValueMatch extends Span {
  readonly value: Json;
}

/** A set of known values made ready for searching; see `compileValues`. */
export interface ValueTable {
  /** By the first two characters, longest word first: the longest name at a place wins. */
  readonly byStart: ReadonlyMap<string, readonly { readonly word: string; readonly value: Json }[]>;
}

/** Prepares `canonical value -> words for it`. The first value that claims a word keeps it. */
export function compileValues(values: ReadonlyMap<Json, readonly string[]>): ValueTable {
  const byWord = new Map<string, Json>();
  for (const [value, words] of values) {
    for (const word of words) {
      const folded = foldText(word).trim();
      if (folded !== '' && !byWord.has(folded)) byWord.set(folded, value);
    }
  }
  const byStart = new Map<string, { word: string; value: Json }[]>();
  for (const [word, value] of byWord) {
    const start = word.slice(0, 2);
    byStart.set(start, [...(byStart.get(start) ?? []), { word, value }]);
  }
  for (const entries of byStart.values()) entries.sort((a, b) => b.word.length - a.word.length);
  return { byStart };
}

/** Every mention of a known value in a folded text, left to right, none overlapping. */
export function findValues(table: ValueTable, folded: string): ValueMatch[] {
  const matches: ValueMatch[] = [];
  let position = 0;
  while (position < folded.length) {
    const match = matchAt(table, folded, position);
    if (match) matches.push(match);
    position = match ? match.end : position + 1;
  }
  return matches;
}

function matchAt(table: ValueTable, folded: string, start: number): ValueMatch | null {
  // A number may stand directly before a unit: "5km".
  const before = folded[start - 1];
  if (!isWordBoundary(before, folded[start]) && !(before !== undefined && before >= '0' && before <= '9')) return null;
  const entries = [
    ...(table.byStart.get(folded.slice(start, start + 2)) ?? []),
    ...(table.byStart.get(folded.slice(start, start + 1)) ?? []),
  ];
  for (const { word, value } of entries) {
    if (!folded.startsWith(word, start)) continue;
    const end = endOfWord(folded, start + word.length, word);
    if (end === null) continue;
    if (/^[a-z]$/.test(word) && !AFTER_QUANTITY.test(folded.slice(Math.max(0, start - 6), start))) continue;
    return { value, start, end };
  }
  return null;
}

/** A single letter is a value (`C`, `m`) only right after a number, a degree sign or a preposition of conversion. */
const AFTER_QUANTITY = /(?:\d|°|\b(?:to|in|into|as|from)) ?$/;

/** The end of a match, one plural s included; null when the word goes on. */
function endOfWord(folded: string, end: number, word: string): number | null {
  if (isWordBoundary(folded[end - 1], folded[end])) return end;
  if (word.length >= 3 && folded[end] === 's' && isWordBoundary('s', folded[end + 1])) return end + 1;
  return null;
}
