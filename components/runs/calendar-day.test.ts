import { describe, expect, it } from 'vitest';
import { endOfDay, isDay, startOfDay } from './calendar-day.ts';

describe('startOfDay and endOfDay', () => {
  it.each([
    ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
    ['2026-03-01', 'Asia/Shanghai', '2026-02-28T16:00:00.000Z', '2026-03-01T15:59:59.999Z'],
    ['2026-03-01', 'America/St_Johns', '2026-03-01T03:30:00.000Z', '2026-03-02T03:29:59.999Z'],
    // Clocks go forward on this day: it has 23 hours. And back: 25.
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
  ])('bound %s in %s', (day, timeZone, start, end) => {
    expect(startOfDay(day, timeZone).toISOString()).toBe(start);
    expect(endOfDay(day, timeZone).toISOString()).toBe(end);
  });
});

describe('isDay', () => {
  it('knows the calendar', () => {
    expect(isDay('2024-02-29')).toBe(true);
    expect(isDay('2025-02-29')).toBe(false);
    expect(isDay('2025-2-9')).toBe(false);
    expect(isDay('yesterday')).toBe(false);
  });
});
