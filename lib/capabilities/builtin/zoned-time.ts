import { foldText } from '../domain/folded-text.ts';
import { ZONE_NAMES } from './zone-names.ts';

/** A wall-clock time, without a zone. Months count from 1. */
export interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** The IANA zone that a name stands for: a city or country as in `ZONE_NAMES`, an IANA name, or `UTC+8`. null for any other. */
export function findZone(name: string): string | null {
  const known = ZONES_BY_NAME.get(foldText(name).trim());
  if (known !== undefined) return known;
  const offset = /^(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(name.trim());
  if (offset) return offsetZone(offset);
  return isZone(name.trim()) ? name.trim() : null;
}

const ZONES_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(ZONE_NAMES).flatMap(([zone, names]) => [zone, ...names].map((name) => [foldText(name), zone] as const)),
);

function offsetZone([, sign, hours, minutes]: RegExpExecArray): string | null {
  return Number(hours) <= 14 ? `${sign}${String(hours).padStart(2, '0')}:${minutes ?? '00'}` : null;
}

/** Whether the runtime knows the zone; it names offsets (`+08:00`) too. */
function isZone(zone: string): boolean {
  try {
    return zone !== '' && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    // RangeError: no such zone.
    return false;
  }
}

/** The wall clock in a zone at an instant. */
export function wallClockAt(instant: Date, timeZone: string): WallClock {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(instant);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { year: read('year'), month: read('month'), day: read('day'), hour: read('hour'), minute: read('minute') };
}

/**
 * The instant at which a zone's clock shows a time. A time that is skipped when clocks go forward comes back moved forward
 * with `isSkipped`; one that happens twice when they go back is its first occurrence.
 */
export function instantOf(wallClock: WallClock, timeZone: string): { instant: Date; isSkipped: boolean } {
  const wanted = Date.UTC(wallClock.year, wallClock.month - 1, wallClock.day, wallClock.hour, wallClock.minute);
  // A zone has at most two offsets around one wall-clock time: that of the day before and that of the day after.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((moment) => offsetAt(moment, timeZone));
  const instants = offsets.map((offset) => wanted - offset).sort((a, b) => a - b);
  const exact = instants.find((instant) => instant + offsetAt(instant, timeZone) === wanted);
  if (exact !== undefined) return { instant: new Date(exact), isSkipped: false };
  // Skipped: the offset before the change, applied, lands as far after the gap as the time was inside it.
  return { instant: new Date(instants.at(-1) ?? wanted), isSkipped: true };
}

const DAY_MS = 86_400_000;

/** Milliseconds the zone is ahead of UTC at an instant, to the minute. */
function offsetAt(instant: number, timeZone: string): number {
  const wall = wallClockAt(new Date(instant), timeZone);
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute) - Math.floor(instant / 60_000) * 60_000;
}

/** `+09:00` */
export function formatOffset(instant: Date, timeZone: string): string {
  const minutes = Math.round(offsetAt(instant.getTime(), timeZone) / 60_000);
  const absolute = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${String(Math.floor(absolute / 60)).padStart(2, '0')}:${String(absolute % 60).padStart(2, '0')}`;
}

/** `Wednesday, 12 March 2025, 15:04` in words of the locale. */
export function describeTime(instant: Date, timeZone: string, locale: 'en' | 'zh-CN'): { date: string; time: string } {
  const date = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'zh-CN', { timeZone, dateStyle: 'full' }).format(instant);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);
  return { date, time };
}

/** A name for the zone in the locale: a place people know, else the zone itself. */
export function zoneLabel(timeZone: string, locale: 'en' | 'zh-CN'): string {
  const names = ZONE_NAMES[timeZone];
  if (!names || timeZone === 'UTC') return timeZone;
  return names.find((name) => /\p{Script=Han}/u.test(name) === (locale === 'zh-CN')) ?? timeZone;
}
