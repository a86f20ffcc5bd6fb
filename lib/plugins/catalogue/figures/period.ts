import { addDays, type CalendarDay, dayIn, formatDay, instantOf, weekdayOf } from '#lib/capabilities/index.ts';

/** A stretch of whole days. Days are YYYY-MM-DD, both inclusive; null: open on that side. */
export interface Period {
  readonly name: PeriodName;
  readonly from: string | null;
  readonly to: string | null;
  /** It goes on: its last days have not been yet. */
  readonly isOpen: boolean;
}

export type PeriodName =
  | 'today'
  | 'yesterday'
  | 'day'
  | 'this-week'
  | 'last-week'
  | 'this-month'
  | 'last-month'
  | 'month'
  | 'this-year'
  | 'last-year'
  | 'year'
  | 'last-days'
  | 'range'
  | 'all';

export const ALL_TIME: Period = { name: 'all', from: null, to: null, isOpen: true };

export function periodOf(name: PeriodName, from: CalendarDay, to: CalendarDay, today: CalendarDay): Period {
  const last = formatDay(to) ?? '';
  return { name, from: formatDay(from), to: last, isOpen: last >= (formatDay(today) ?? '') };
}

/** Monday of the week of a day. */
export function weekStart(day: CalendarDay): CalendarDay {
  return addDays(day, 1 - weekdayOf(day));
}

export function weekOf(day: CalendarDay): [CalendarDay, CalendarDay] {
  const start = weekStart(day);
  return [start, addDays(start, 6)];
}

/** The first and the last day of a month; `month` may lie outside 1 to 12 and then counts on into other years. */
export function monthOf(year: number, month: number): [CalendarDay, CalendarDay] {
  return [addDays({ year, month, day: 1 }, 0), addDays({ year, month: month + 1, day: 1 }, -1)];
}

export function yearOf(year: number): [CalendarDay, CalendarDay] {
  return [
    { year, month: 1, day: 1 },
    { year, month: 12, day: 31 },
  ];
}

export function dayOf(text: string): CalendarDay {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return { year, month, day };
}

/**
 * The stretch before a period that it can fairly be compared with: the same number of days, of a month or year that goes on
 * its beginning up to the same day. null for periods without a beginning.
 */
export function precedingPeriod(period: Period, today: CalendarDay): Period | null {
  if (period.from === null) return null;
  const from = dayOf(period.from);
  const to = period.isOpen || period.to === null ? today : dayOf(period.to);
  if (period.name.endsWith('month')) {
    const [start, end] = monthOf(from.year, from.month - 1);
    const sameDay = addDays(start, to.day - 1);
    return periodOf('range', start, period.isOpen && sameDay.month === start.month ? sameDay : end, today);
  }
  if (period.name.endsWith('year')) {
    const end = period.isOpen ? { ...to, year: to.year - 1 } : { ...to, year: from.year - 1 };
    return periodOf('range', { ...from, year: from.year - 1 }, addDays(end, 0), today);
  }
  if (period.name.endsWith('week')) return periodOf('range', addDays(from, -7), addDays(to, -7), today);
  const length = daysBetween(from, to) + 1;
  return periodOf('range', addDays(from, -length), addDays(from, -1), today);
}

/** The instants of a period in a zone: `from` inclusive, `to` exclusive. */
export function boundsOf(period: { readonly from: string | null; readonly to: string | null }, timeZone: string) {
  const startOf = (day: CalendarDay) => instantOf({ ...day, hour: 0, minute: 0 }, timeZone).instant;
  return {
    from: period.from === null ? null : startOf(dayOf(period.from)),
    to: period.to === null ? null : startOf(addDays(dayOf(period.to), 1)),
  };
}

/** How a period is called in a sentence, with its days. */
export function namePeriod(period: Period, locale: 'en' | 'zh-CN'): string {
  if (period.name === 'all' || period.from === null) {
    if (period.to === null) return locale === 'en' ? 'so far' : '至今';
    return locale === 'en' ? `until ${dayText(period.to, locale)}` : `截至${dayText(period.to, locale)}`;
  }
  const days =
    period.from === period.to || period.to === null
      ? dayText(period.from, locale)
      : `${dayText(period.from, locale)} – ${dayText(period.to, locale)}`;
  const word = WORDS[period.name]?.[locale];
  if (period.to === null) return locale === 'en' ? `since ${days}` : `${days}以来`;
  if (!word) return days;
  return locale === 'en' ? `${word} (${days})` : `${word}（${days}）`;
}

export function todayIn(timeZone: string, now: Date): CalendarDay {
  return dayIn(timeZone, now);
}

function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return Math.round((Date.UTC(to.year, to.month - 1, to.day) - Date.UTC(from.year, from.month - 1, from.day)) / 86_400_000);
}

function dayText(day: string, locale: 'en' | 'zh-CN'): string {
  const { year, month, day: dayNumber } = dayOf(day);
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'zh-CN', { timeZone: 'UTC', dateStyle: 'medium' }).format(
    new Date(Date.UTC(year, month - 1, dayNumber)),
  );
}

const WORDS: { readonly [Name in PeriodName]?: { readonly en: string; readonly 'zh-CN': string } } = {
  today: { en: 'today', 'zh-CN': '今天' },
  yesterday: { en: 'yesterday', 'zh-CN': '昨天' },
  'this-week': { en: 'this week', 'zh-CN': '本周' },
  'last-week': { en: 'last week', 'zh-CN': '上周' },
  'this-month': { en: 'this month', 'zh-CN': '本月' },
  'last-month': { en: 'last month', 'zh-CN': '上个月' },
  'this-year': { en: 'this year', 'zh-CN': '今年' },
  'last-year': { en: 'last year', 'zh-CN': '去年' },
};
