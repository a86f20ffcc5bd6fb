import type { CalendarDay } from './calendar-day.ts';
import { type DateMatch, findDates } from './dates-in-text.ts';
import { foldText, isWordBoundary, overlaps, type Span } from './folded-text.ts';
import { findNumbers, type NumberMatch } from './numbers-in-text.ts';
import { findTimes, type TimeMatch } from './times-in-text.ts';
import { findValues, type ValueMatch, type ValueTable } from './value-matches.ts';

/** Quoted text: the span takes in the marks, `inner` does not. */
export interface Quotation extends Span {
  readonly inner: Span;
}

/** What can be seen in a message before any capability is considered; read once, used for every part of it. */
export interface RequestFeatures {
  readonly raw: string;
  /** Same length as `raw`, see `foldText`. */
  readonly folded: string;
  readonly quotations: readonly Quotation[];
  readonly numbers: readonly NumberMatch[];
  readonly dates: readonly DateMatch[];
  readonly times: readonly TimeMatch[];
  readonly emails: readonly Span[];
  readonly urls: readonly Span[];
  /** Mentions of the values of a table outside quotations; searched once per table. */
  valuesOf(table: ValueTable): readonly ValueMatch[];
}

/**
 * Reads a message. Only its first `REQUEST_WINDOW` characters are searched for numbers, dates and values; quotations are
 * found in the whole. `today` is the day where the person is; without it relative days are not understood.
 */
export function readRequestFeatures(raw: string, today: CalendarDay | null): RequestFeatures {
  const folded = foldText(raw);
  const quotations = findQuotations(raw);
  const isFree = (span: Span) => !quotations.some((quotation) => overlaps(quotation, span));
  const window = folded.slice(0, REQUEST_WINDOW);
  const dates = findDates(window, today).filter(isFree);
  const times = findTimes(window).filter(
    (time) => isFree(time) && !dates.some((date) => overlaps(date, time) && date.end - date.start > time.end - time.start),
  );
  const urls = findSpans(window, /\bhttps?:\/\/[^\s<>"'，。、]+/g).filter(isFree);
  const emails = findSpans(window, /[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}/g).filter(isFree);
  const isTaken = (span: Span) => [...dates, ...times, ...urls, ...emails].some((other) => overlaps(other, span));
  const byTable = new Map<ValueTable, readonly ValueMatch[]>();
  return {
    raw,
    folded,
    quotations,
    dates,
    times,
    emails,
    urls,
    numbers: findNumbers(window).filter((number) => isFree(number) && !isTaken(number)),
    valuesOf(table) {
      const known = byTable.get(table);
      if (known) return known;
      const found = findValues(table, window).filter(isFree);
      byTable.set(table, found);
      return found;
    },
  };
}

/** Requests are short; what follows is text they are about. */
export const REQUEST_WINDOW = 2000;

function findSpans(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

const CLOSING_MARK: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['「', '」'],
  ['『', '』'],
  ['«', '»'],
  ['`', '`'],
  ["'", "'"],
  ['‘', '’'],
]);

/** Quotations that open and close, outermost only. An apostrophe inside a word opens nothing. */
export function findQuotations(raw: string): Quotation[] {
  const quotations: Quotation[] = [];
  let position = 0;
  const searchedInVain = new Set<string>();
  while (position < raw.length) {
    const closing = CLOSING_MARK.get(raw[position] ?? '');
    const end =
      closing !== undefined && !searchedInVain.has(closing) && opensQuotation(raw, position) ? findClosing(raw, position + 1, closing) : -1;
    if (closing !== undefined && end === -1 && opensQuotation(raw, position)) searchedInVain.add(closing);
    if (end > position + 1) quotations.push({ start: position, end: end + 1, inner: { start: position + 1, end } });
    position = end > position + 1 ? end + 1 : position + 1;
  }
  return quotations;
}

function opensQuotation(raw: string, position: number): boolean {
  const mark = raw[position];
  if (mark !== "'" && mark !== '‘') return true;
  return isWordBoundary(raw[position - 1], 'a') && !isWordBoundary(raw[position + 1], 'a');
}

function findClosing(raw: string, from: number, closing: string): number {
  let end = raw.indexOf(closing, from);
  // "don't" inside single quotes does not end them.
  while ((closing === "'" || closing === '’') && end !== -1 && !isWordBoundary(raw[end - 1], raw[end + 1]))
    end = raw.indexOf(closing, end + 1);
  return end;
}
