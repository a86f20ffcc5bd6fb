import { type CalendarDay, compareDays, formatDay, weekdayOf } from '#lib/capabilities/index.ts';
import type { JsonObject } from '#lib/kernel/index.ts';

/** The terms that a tenant has entered, first to last. */
export interface Term {
  readonly name: string;
  readonly start: CalendarDay;
  readonly weeks: number;
}

export type PlaceInTerm =
  | { readonly status: 'in-term'; readonly term: Term; readonly week: number }
  /** The next term, if one is entered, and the days until it begins. */
  | { readonly status: 'break'; readonly next: Term | null; readonly daysUntil: number | null };

/** Reads lines such as `Autumn 2026 = 2026-09-07, 18`: name, Monday of the first week, number of weeks. */
export function readTerms(configuration: JsonObject): readonly Term[] | { readonly problem: string } {
  const lines = Array.isArray(configuration['terms']) ? configuration['terms'] : [];
  const terms: Term[] = [];
  for (const line of lines) {
    const match = /^\s*(?<name>[^=]{1,60}?)\s*=\s*(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})\s*[,，]\s*(?<weeks>\d{1,2})\s*$/.exec(
      String(line),
    );
    const { name = '', year, month, day, weeks } = match?.groups ?? {};
    const start = { year: Number(year), month: Number(month), day: Number(day) };
    if (!match || formatDay(start) === null || Number(weeks) < 1) return { problem: String(line) };
    terms.push({ name, start, weeks: Number(weeks) });
  }
  return terms.sort((a, b) => compareDays(a.start, b.start));
}

/** Where a day lies. A term's first week is the one its start is in; weeks begin on Monday. */
export function placeInTerm(terms: readonly Term[], day: CalendarDay): PlaceInTerm {
  for (const term of terms) {
    const week = Math.floor((dayNumber(day) - dayNumber(term.start) + weekdayOf(term.start) - 1) / 7) + 1;
    if (week >= 1 && week <= term.weeks) return { status: 'in-term', term, week };
  }
  const next = terms.find(({ start }) => compareDays(start, day) > 0) ?? null;
  return { status: 'break', next, daysUntil: next && dayNumber(next.start) - dayNumber(day) };
}

function dayNumber({ year, month, day }: CalendarDay): number {
  return Math.round(Date.UTC(year, month - 1, day) / 86_400_000);
}
