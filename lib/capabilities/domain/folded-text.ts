/**
 * Folds text for matching without moving anything: the result has the same length, so a position found in it is a position
 * in the original. Lower case, full-width letters and digits to plain ones, every kind of space to one, curly quotes to
 * straight ones, control characters and lone surrogates to harmless ones.
 */
export function foldText(text: string): string {
  const plain = text.toWellFormed().replace(UNUSUAL, foldCharacter);
  const lower = plain.toLowerCase();
  if (lower.length === plain.length) return lower;
  // A few letters grow when lower-cased (U+0130): those stay as they are.
  return plain
    .replace(/[^\p{ASCII}]/gu, (character) => {
      const small = character.toLowerCase();
      return small.length === character.length ? small : character;
    })
    .replace(/[A-Z]/g, (character) => character.toLowerCase());
}

/** Full-width forms, odd spaces, curly quotes, dashes used as minus, and control characters other than line breaks. */
const UNUSUAL = /[\uFF01-\uFF5E\u3000\u00A0\u2000-\u200A\u202F\u205F\u2018\u2019\u201C\u201D\u2212\uFE63\u2013\0-\t\v\f\x0E-\x1F\x7F]/g;

function foldCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (code === 0x2018 || code === 0x2019) return "'";
  if (code === 0x201c || code === 0x201d) return '"';
  if (code === 0x2212 || code === 0xfe63 || code === 0x2013) return '-';
  return ' ';
}

/** Scripts written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export function isUnspaced(character: string | undefined): boolean {
  return character !== undefined && UNSPACED.test(character);
}

/** Whether a Latin-like word may begin or end between these two characters; always true beside Chinese. */
export function isWordBoundary(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined) return true;
  if (isUnspaced(before) || isUnspaced(after)) return true;
  return !(WORD_CHARACTER.test(before) && WORD_CHARACTER.test(after));
}

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

/** A stretch of text: `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

export function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
