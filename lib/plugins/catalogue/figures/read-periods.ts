import { addDays, type CalendarDay, compareDays, overlaps, type Span } from '#lib/capabilities/index.ts';
import { dayOf, monthOf, type Period, periodOf, weekOf, weekStart, yearOf } from './period.ts';

export interface PeriodMatch extends Span {
  readonly period: Period;
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Rule {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, today: CalendarDay) => Period | null;
}

/**
 * Every stretch of days that a folded text names, in English and Chinese, left to right. What lies in the past is meant:
 * "in March" is the March that was last, "on Monday" the Monday that was last.
 */
export function readPeriods(folded: string, today: CalendarDay): PeriodMatch[] {
  const found: PeriodMatch[] = [];
  for (const rule of RULES) {
    for (const match of folded.matchAll(rule.pattern)) {
      const span = { start: match.index, end: match.index + match[0].length };
      if (found.some((other) => overlaps(other, span))) continue;
      const period = rule.read(match.groups ?? {}, today);
      if (period) found.push({ ...span, period });
    }
  }
  return joinRanges(
    folded,
    found.sort((a, b) => a.start - b.start),
    today,
  );
}

/** `from A to B`, `between A and B`, `A 到 B` are one stretch; `since A`, `A 以来` reaches to now. */
function joinRanges(folded: string, found: readonly PeriodMatch[], today: CalendarDay): PeriodMatch[] {
  const joined: PeriodMatch[] = [];
  for (let index = 0; index < found.length; index += 1) {
    const first = found[index];
    if (!first) continue;
    const second = found[index + 1];
    const before = folded.slice(0, first.start);
    const isSince = /(?:since|自从?|从)\s*$/.test(before) && !isTo(folded, first, second);
    if (second && isTo(folded, first, second) && (first.period.from ?? '') <= (second.period.to ?? '')) {
      const between = { start: first.start, end: second.end };
      joined.push({ ...between, period: range(first.period, second.period, today) });
      index += 1;
    } else if (isSince || /^\s*(?:以来|至今|到现在)/.test(folded.slice(first.end))) {
      joined.push({ start: first.start, end: first.end, period: { name: 'range', from: first.period.from, to: null, isOpen: true } });
    } else joined.push(first);
  }
  return joined;
}

function isTo(folded: string, first: PeriodMatch, second: PeriodMatch | undefined): boolean {
  if (!second) return false;
  const between = folded.slice(first.end, second.start).trim();
  const before = folded.slice(0, first.start).trimEnd();
  if (/^(?:to|until|till|through|-|~|到|至)$/.test(between)) return true;
  return between === 'and' && before.endsWith('between');
}

function range(first: Period, second: Period, today: CalendarDay): Period {
  return periodOf('range', dayOf(first.from ?? ''), dayOf(second.to ?? ''), today);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const EDGE = '(?<![\\p{L}\\d])';
const END = '(?![\\p{L}\\d])';
const WEEKDAY = '(?<weekday>mon|tues?|wednes|thurs?|fri|satur|sun)day';
const CHINESE_DIGITS = '一二三四五六七八九十';
const CHINESE_COUNT = `(?<count>\\d{1,3}|[两${CHINESE_DIGITS}]{1,3}|半)`;
const WORD_COUNTS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

const RULES: readonly Rule[] = [
  {
    pattern: /(?<!\d)(?<year>20\d\d)[-/.年](?<month>\d{1,2})[-/.月](?<day>\d{1,2})日?(?!\d)/g,
    read: ({ year, month, day }, today) => single({ year: Number(year), month: Number(month), day: Number(day) }, today),
  },
  {
    pattern: /(?<!\d)(?<month>\d{1,2})月(?<day>\d{1,2})[日号]?/g,
    read: ({ month, day }, today) => single(lastOccurrence(Number(month), Number(day), today), today),
  },
  {
    pattern: new RegExp(`${EDGE}${MONTH} (?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>20\\d\\d))?${END}`, 'gu'),
    read: namedDay,
  },
  {
    pattern: new RegExp(`${EDGE}(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? (?<year>20\\d\\d))?${END}`, 'gu'),
    read: namedDay,
  },
  named(/(?<!\p{L})the day before yesterday(?!\p{L})|前天/gu, (today) => single(addDays(today, -2), today)),
  named(/(?<!\p{L})yesterday(?!\p{L})|昨天|昨日/gu, (today) => periodOf('yesterday', addDays(today, -1), addDays(today, -1), today)),
  named(/(?<!\p{L})today(?!\p{L})|今天|今日|当天/gu, (today) => periodOf('today', today, today, today)),
  {
    pattern: new RegExp(
      `${EDGE}(?:the |in |over |during )*(?:last|past|previous|recent) (?<count>\\d{1,3}|${WORD_COUNTS.slice(1).join('|')}) (?<unit>day|week|month)s?${END}`,
      'gu',
    ),
    read: ({ count, unit }, today) => lastDays(numberOf(count), unit === 'day' ? 1 : unit === 'week' ? 7 : 30, today),
  },
  {
    pattern: new RegExp(`(?:最近|近|过去|前)(?:的)?${CHINESE_COUNT}?个?(?<unit>天|日|周|星期|礼拜|月)(?:内|里|以来|来|中)?`, 'g'),
    read: ({ count, unit }, today) => lastDays(numberOf(count), unit === '月' ? 30 : unit === '天' || unit === '日' ? 1 : 7, today),
  },
  named(/(?<!\p{L})(?:the )?past week(?!\p{L})/gu, (today) => lastDays(7, 1, today)),
  named(/(?<!\p{L})(?:the )?past month(?!\p{L})/gu, (today) => lastDays(30, 1, today)),
  {
    pattern: /(?<which>上上|上个?|这个?|本|)(?:周|星期|礼拜)(?<weekday>[一二三四五六日天])(?![共起])/g,
    read: ({ which, weekday }, today) => {
      const offset = '一二三四五六日'.indexOf(weekday === '天' ? '日' : (weekday ?? ''));
      const day = addDays(weekStart(today), offset - (which?.startsWith('上') ? 7 : 0));
      return single(!which && compareDays(day, today) > 0 ? addDays(day, -7) : day, today);
    },
  },
  {
    pattern: new RegExp(`${EDGE}(?:(?<which>last|this|on) )?${WEEKDAY}${END}`, 'gu'),
    read: ({ weekday }, today) => {
      const offset = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].indexOf(weekday?.slice(0, 3) ?? '');
      const day = addDays(weekStart(today), offset);
      return single(compareDays(day, today) > 0 ? addDays(day, -7) : day, today);
    },
  },
  named(/(?<!\p{L})(?:last|previous) week(?!\p{L})|上一?个?(?:周|星期|礼拜)/gu, (today) =>
    periodOf('last-week', ...weekOf(addDays(today, -7)), today),
  ),
  named(/(?<!\p{L})(?:this|current) week(?!\p{L})|(?:本|这一?个?|当)(?:周|星期|礼拜)/gu, (today) =>
    periodOf('this-week', ...weekOf(today), today),
  ),
  named(/(?<!\p{L})(?:last|previous) month(?!\p{L})|上一?个?月/gu, (today) =>
    periodOf('last-month', ...monthOf(today.year, today.month - 1), today),
  ),
  named(/(?<!\p{L})(?:this|current) month(?!\p{L})|(?:本|这一?个?|当)月/gu, (today) =>
    periodOf('this-month', ...monthOf(today.year, today.month), today),
  ),
  named(/(?<!\p{L})(?:last|previous) year(?!\p{L})|去年|上一年/gu, (today) => periodOf('last-year', ...yearOf(today.year - 1), today)),
  named(/(?<!\p{L})(?:this|current) year(?!\p{L})|今年|本年度?/gu, (today) => periodOf('this-year', ...yearOf(today.year), today)),
  {
    pattern: new RegExp(`${EDGE}${MONTH}(?: (?<year>20\\d\\d))?${END}`, 'gu'),
    // "may" is mostly a verb.
    read: ({ month, year }, today) => (month === 'may' && !year ? null : wholeMonth(monthNumber(month), year, today)),
  },
  {
    pattern: /(?:(?<year>20\d\d)年)?(?<month>\d{1,2}|[一二三四五六七八九十]{1,2})月份?/g,
    read: ({ month, year }, today) => wholeMonth(numberOf(month), year, today),
  },
  {
    pattern: /(?<!\d)(?:(?:in |during )(?<english>20\d\d)(?![-\d])|(?<chinese>20\d\d)年)/g,
    read: ({ english, chinese }, today) => periodOf('year', ...yearOf(Number(english ?? chinese)), today),
  },
];

function named(pattern: RegExp, read: (today: CalendarDay) => Period): Rule {
  return { pattern, read: (_groups, today) => read(today) };
}

function single(day: CalendarDay, today: CalendarDay): Period {
  return periodOf('day', day, day, today);
}

function lastDays(count: number, unitDays: number, today: CalendarDay): Period {
  return periodOf('last-days', addDays(today, 1 - Math.max(1, count * unitDays)), today, today);
}

function namedDay({ month, day, year }: Groups, today: CalendarDay): Period {
  const number = monthNumber(month);
  return single(year ? { year: Number(year), month: number, day: Number(day) } : lastOccurrence(number, Number(day), today), today);
}

function lastOccurrence(month: number, day: number, today: CalendarDay): CalendarDay {
  const thisYear = { year: today.year, month, day };
  return compareDays(thisYear, today) > 0 ? { ...thisYear, year: today.year - 1 } : thisYear;
}

function wholeMonth(month: number, year: string | undefined, today: CalendarDay): Period | null {
  if (month < 1 || month > 12) return null;
  const inYear = year ? Number(year) : month > today.month ? today.year - 1 : today.year;
  return periodOf('month', ...monthOf(inYear, month), today);
}

function monthNumber(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3)) + 1;
}

/** Digits, an English number word, or a Chinese numeral up to 99; 1 where nothing is said (最近一周, 近月). */
function numberOf(text: string | undefined): number {
  if (!text) return 1;
  if (/^\d+$/.test(text)) return Number(text);
  const word = WORD_COUNTS.indexOf(text);
  if (word > 0) return word;
  const ten = text.indexOf('十');
  if (ten < 0) return digit(text[0]) || 1;
  return (ten === 0 ? 1 : digit(text[0])) * 10 + (ten === text.length - 1 ? 0 : digit(text[ten + 1]));
}

function digit(character: string | undefined): number {
  return character === '两' ? 2 : CHINESE_DIGITS.indexOf(character ?? '') + 1;
}
