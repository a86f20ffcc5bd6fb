import { addDays, type CalendarDay, compareDays, formatDay, weekdayOf } from './calendar-day.ts';
import { overlaps, type Span } from './folded-text.ts';
import { parseChineseNumeral } from './numbers-in-text.ts';

/** A day found in a text, as YYYY-MM-DD. */
export interface DateMatch extends Span {
  readonly date: string;
}

/**
 * Every day named in a folded text, in English and Chinese, left to right. Relative days ("tomorrow", 下周一) are counted
 * from `today`; without it only days that name their month are found, a year missing is then not guessed either.
 */
export function findDates(folded: string, today: CalendarDay | null): DateMatch[] {
  const matches: DateMatch[] = [];
  for (const rule of RULES) {
    for (const match of folded.matchAll(rule.pattern)) {
      const day = rule.read(match.groups ?? {}, today);
      const date = day && formatDay(day);
      const span = { start: match.index, end: match.index + match[0].length };
      if (date && !matches.some((other) => overlaps(other, span))) matches.push({ ...span, date });
    }
  }
  return matches.sort((a, b) => a.start - b.start);
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Rule {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, today: CalendarDay | null) => CalendarDay | null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?:,? (?<year>\\d{4}))?(?![\\p{L}\\d])';
const EDGE = '(?<![\\p{L}\\d])';
const CHINESE_NUMBER = '[0-9零〇一二两三四五六七八九十]';
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WEEKDAY = '(?<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)';
const CHINESE_WEEKDAYS = '一二三四五六日';

/** The more specific rule first: a stretch of text is read once. */
const RULES: readonly Rule[] = [
  {
    pattern: /(?<!\d)(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)/g,
    read: ({ year, month, day }) => ({ year: Number(year), month: Number(month), day: Number(day) }),
  },
  {
    pattern: new RegExp(
      `(?:(?<year>\\d{4})年|(?<relative>今年|明年))?(?<month>${CHINESE_NUMBER}{1,3})月(?<day>${CHINESE_NUMBER}{1,3})[日号]?`,
      'g',
    ),
    read: ({ year, relative, month, day }, today) => inYear(year, readChinese(month), readChinese(day), today, relative === '明年' ? 1 : 0),
  },
  {
    pattern: new RegExp(`${EDGE}${MONTH} (?:the )?${DAY}${YEAR}`, 'gu'),
    read: ({ month, day, year }, today) => inYear(year, monthNumber(month), Number(day), today, 0),
  },
  {
    pattern: new RegExp(`${EDGE}(?:the )?${DAY} (?:of )?${MONTH}${YEAR}`, 'gu'),
    read: ({ month, day, year }, today) => inYear(year, monthNumber(month), Number(day), today, 0),
  },
  relative(/the day after tomorrow|大后天|後天|后天/g, (match) => (match === '大后天' ? 3 : 2)),
  relative(/(?<!\p{L})tomorrow|明天|明早|明晚|明日/gu, () => 1),
  relative(/(?<!\p{L})(?:today|tonight|this (?:morning|afternoon|evening))(?!\p{L})|今天|今晚|今早|今日|今夜/gu, () => 0),
  relative(/(?<!\p{L})yesterday|昨天|昨晚|昨日|前天/gu, (match) => (match === '前天' ? -2 : -1)),
  {
    pattern: new RegExp(`${EDGE}in (?<count>\\d{1,3}|a|one|two|three|four|five|six|seven|ten) (?<unit>day|week)s?(?!\\p{L})`, 'gu'),
    read: ({ count, unit }, today) => today && addDays(today, englishCount(count) * (unit === 'week' ? 7 : 1)),
  },
  {
    pattern: new RegExp(`(?<count>${CHINESE_NUMBER}{1,3})个?(?<unit>天|日|周|星期|礼拜)(?:以后|之后|后)`, 'g'),
    read: ({ count, unit }, today) => today && addDays(today, readChinese(count) * (unit === '天' || unit === '日' ? 1 : 7)),
  },
  {
    pattern: new RegExp(`${EDGE}(?:(?<which>next|this|coming|on) )?${WEEKDAY}(?:s(?!\\p{L}))?(?!\\p{L})`, 'gu'),
    read: ({ which, weekday }, today) =>
      today &&
      (which === 'next'
        ? weekdayOfWeek(today, WEEKDAYS.indexOf((weekday ?? '').slice(0, 3)) + 1, 1)
        : comingWeekday(today, WEEKDAYS.indexOf((weekday ?? '').slice(0, 3)) + 1)),
  },
  {
    pattern: /(?<which>下下|下个?|这个?|本)?(?:周|星期|礼拜)(?<weekday>[一二三四五六日天])/g,
    read: ({ which, weekday }, today) => {
      const number = weekday === '天' ? 7 : CHINESE_WEEKDAYS.indexOf(weekday ?? '') + 1;
      if (!today) return null;
      return which?.startsWith('下') ? weekdayOfWeek(today, number, which === '下下' ? 2 : 1) : comingWeekday(today, number);
    },
  },
  {
    pattern: /(?<!\p{L})(?:(?:this|the) )?weekend(?!\p{L})|(?:这个?|本)?周末/gu,
    read: (_, today) => today && comingWeekday(today, 6),
  },
  {
    pattern: /(?<!\p{L})next week(?!\p{L})|下个?(?:周|星期)(?![一二三四五六日天末])/gu,
    read: (_, today) => today && weekdayOfWeek(today, 1, 1),
  },
  {
    // "from the 5th": this month, or next when it has passed.
    pattern: new RegExp(`(?<![\\p{L}\\d])the (?<day>\\d{1,2})(?:st|nd|rd|th)(?![\\p{L}\\d])`, 'gu'),
    read: ({ day }, today) => today && comingDayOfMonth(today, Number(day)),
  },
  {
    pattern: /(?<![\d月.])(?<day>\d{1,2})[号日](?!楼|线|厅|馆|门)/g,
    read: ({ day }, today) => today && comingDayOfMonth(today, Number(day)),
  },
];

function relative(pattern: RegExp, count: (match: string) => number): Rule {
  const named = new RegExp(`(?<said>${pattern.source})`, pattern.flags);
  return { pattern: named, read: ({ said }, today) => today && addDays(today, count(said ?? '')) };
}

function englishCount(text: string | undefined): number {
  const words = ['a', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', '', '', 'ten'];
  const index = words.indexOf(text ?? '');
  return index === -1 ? Number(text) : Math.max(index, 1);
}

function readChinese(text: string | undefined): number {
  if (text === undefined) return Number.NaN;
  return /^\d+$/.test(text) ? Number(text) : (parseChineseNumeral(text) ?? Number.NaN);
}

function monthNumber(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3)) + 1;
}

/** A day without a year is the next one: people book ahead. */
function inYear(year: string | undefined, month: number, day: number, today: CalendarDay | null, shift: number): CalendarDay | null {
  if (year !== undefined) return { year: Number(year), month, day };
  if (!today) return null;
  const thisYear = { year: today.year + shift, month, day };
  return shift === 0 && compareDays(thisYear, addDays(today, -31)) < 0 ? { ...thisYear, year: today.year + 1 } : thisYear;
}

function weekdayOfWeek(today: CalendarDay, weekday: number, weeksAhead: number): CalendarDay {
  return addDays(today, weekday - weekdayOf(today) + 7 * weeksAhead);
}

function comingWeekday(today: CalendarDay, weekday: number): CalendarDay {
  return addDays(today, (weekday - weekdayOf(today) + 7) % 7);
}

function comingDayOfMonth(today: CalendarDay, day: number): CalendarDay {
  if (day >= today.day) return { ...today, day };
  return today.month === 12 ? { year: today.year + 1, month: 1, day } : { ...today, month: today.month + 1, day };
}
