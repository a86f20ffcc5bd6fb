import { overlaps, type Span } from './folded-text.ts';
import { parseChineseNumeral } from './numbers-in-text.ts';

/** A time of day found in a text, as HH:MM on the 24-hour clock. */
export interface TimeMatch extends Span {
  readonly time: string;
}

/** Every time of day in a folded text, in English and Chinese, left to right. */
export function findTimes(folded: string): TimeMatch[] {
  const matches: TimeMatch[] = [];
  for (const { pattern, read } of RULES) {
    for (const match of folded.matchAll(pattern)) {
      const time = read(match.groups ?? {});
      const span = { start: match.index, end: match.index + match[0].length };
      if (time && !matches.some((other) => overlaps(other, span))) matches.push({ ...span, time });
    }
  }
  return matches.sort((a, b) => a.start - b.start);
}

type Groups = Readonly<Record<string, string | undefined>>;

const NUMERAL = '[0-9零〇一二两三四五六七八九十]';
const PART_OF_DAY = '凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|今晚|明晚|昨晚|夜里|半夜|早|晚';

const RULES: readonly { readonly pattern: RegExp; readonly read: (groups: Groups) => string | null }[] = [
  {
    pattern: /(?<![\d.,:])(?<hour>\d{1,2})(?:[:.](?<minute>[0-5]\d))? ?(?<half>[ap])\.?m\b\.?/g,
    read: ({ hour, minute, half }) =>
      Number(hour) > 12 ? null : format((Number(hour) % 12) + (half === 'p' ? 12 : 0), Number(minute ?? 0)),
  },
  {
    pattern: new RegExp(`(?<part>${PART_OF_DAY})?(?<![\\d.,:])(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?![\\d:])`, 'g'),
    read: ({ part, hour, minute }) => inPart(part, Number(hour), Number(minute)),
  },
  {
    // 三点 and 3点半; 一点 alone mostly means "a little", so it needs a part of the day or what follows a full hour.
    pattern: new RegExp(
      `(?<part>${PART_OF_DAY})?的?(?<![第\\d.几])(?<hour>${NUMERAL}{1,3})[点时](?![零〇一二三四五六七八九]*[加减乘除])(?:(?<half>半)|(?<quarter>[一三])刻|(?<minute>${NUMERAL}{1,3})分?|(?<full>钟|整))?`,
      'g',
    ),
    read: ({ part, hour, half, quarter, minute, full }) => {
      if (hour === '一' && !part && !half && !quarter && !minute && !full) return null;
      const minutes = half ? 30 : quarter ? (quarter === '一' ? 15 : 45) : minute ? readNumeral(minute) : 0;
      return inPart(part, readNumeral(hour), minutes);
    },
  },
  {
    pattern: /\bhalf past (?<hour>\d{1,2}|[a-z]+)(?: in the (?<half>morning|afternoon|evening))?/g,
    read: ({ hour, half }) => format(officeHour(englishHour(hour), half), 30),
  },
  { pattern: /\b(?:at )?(?<name>noon|midday|midnight)\b/g, read: ({ name }) => (name === 'midnight' ? '00:00' : '12:00') },
  {
    pattern:
      /\b(?<hour>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) o'?clock(?: in the (?<half>morning|afternoon|evening))?/g,
    read: ({ hour, half }) => format(officeHour(englishHour(hour), half), 0),
  },
  {
    pattern:
      /\b(?:at|from|until|till|by) (?<hour>\d{1,2})(?: in the (?<half>morning|afternoon|evening))?(?= ?(?:$|[?!;]|\.(?!\d)|, |on |for |to |until |till |tomorrow|today|tonight|next |this |in |with |and |mon|tue|wed|thu|fri|sat|sun))/g,
    read: ({ hour, half }) => format(officeHour(Number(hour), half), 0),
  },
];

function inPart(part: string | undefined, hour: number, minute: number): string | null {
  const isLater = part !== undefined && /下午|傍晚|晚|半夜/.test(part) && hour < 12 && !(part === '半夜' && hour < 6);
  const isNoon = part === '中午' && hour < 11;
  return format(isLater || isNoon ? hour + 12 : part !== undefined && /晚|半夜/.test(part) && hour === 12 ? 0 : hour, minute);
}

/** An hour said without its half of the day: 1 to 6 are afternoons, as offices speak. */
function officeHour(hour: number, half: string | undefined): number {
  if (half === 'morning') return hour % 12;
  if (half !== undefined) return hour < 12 ? hour + 12 : hour;
  return hour >= 1 && hour <= 6 ? hour + 12 : hour;
}

function englishHour(text: string | undefined): number {
  const words = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
  const index = words.indexOf(text ?? '');
  return index > 0 ? index : Number(text);
}

function readNumeral(text: string | undefined): number {
  if (text === undefined) return Number.NaN;
  return /^\d+$/.test(text) ? Number(text) : (parseChineseNumeral(text) ?? Number.NaN);
}

function format(hour: number, minute: number): string | null {
  if (!(hour >= 0 && hour <= 24 && minute >= 0 && minute < 60)) return null;
  return `${String(hour % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
