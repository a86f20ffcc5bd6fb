import { describe, expect, it } from 'vitest';
import { ZONE_NAMES } from './zone-names.ts';
import { findZone, formatOffset, instantOf, zoneLabel } from './zoned-time.ts';

describe('findZone', () => {
  it.each([
    ['Tokyo', 'Asia/Tokyo'],
    ['东京', 'Asia/Tokyo'],
    ['日本', 'Asia/Tokyo'],
    ['new york', 'America/New_York'],
    ['ＮＹＣ', 'America/New_York'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['UTC+8', '+08:00'],
    ['GMT-03:30', '-03:30'],
    ['东八区', '+08:00'],
    ['Mars', null],
    ['', null],
    ['UTC+99', null],
  ])('%s is %s', (name, zone) => {
    expect(findZone(name)).toBe(zone);
  });

  it('names only zones the runtime knows', () => {
    const unknown = Object.keys(ZONE_NAMES).filter((zone) => findZone(zone) !== zone);
    expect(unknown).toEqual([]);
    for (const zone of Object.keys(ZONE_NAMES)) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
  });

  it('gives no name to two zones', () => {
    const misled = Object.entries(ZONE_NAMES).flatMap(([zone, names]) => names.filter((name) => findZone(name) !== zone));
    expect(misled).toEqual([]);
  });

  it('has a label in both languages for places', () => {
    expect(zoneLabel('Asia/Tokyo', 'zh-CN')).toBe('东京');
    expect(zoneLabel('Asia/Tokyo', 'en')).toBe('Tokyo');
    expect(zoneLabel('Antarctica/Troll', 'en')).toBe('Antarctica/Troll');
  });
});

/** 2025-01-15 12:00 */
function at(text: string) {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/[- :]/).map(Number);
  return { year, month, day, hour, minute };
}

describe('instantOf', () => {
  it.each([
    ['2025-01-15 12:00', 'America/New_York', '2025-01-15T17:00:00.000Z'],
    ['2025-07-15 12:00', 'America/New_York', '2025-07-15T16:00:00.000Z'],
    ['2025-03-12 15:00', 'Asia/Shanghai', '2025-03-12T07:00:00.000Z'],
    ['2025-03-12 15:00', 'Asia/Kathmandu', '2025-03-12T09:15:00.000Z'],
    ['2025-03-12 09:00', 'America/St_Johns', '2025-03-12T11:30:00.000Z'],
    // The weeks in which one side has changed its clocks and the other has not.
    ['2025-03-20 12:00', 'Europe/London', '2025-03-20T12:00:00.000Z'],
    ['2025-04-20 12:00', 'Europe/London', '2025-04-20T11:00:00.000Z'],
    // The southern summer.
    ['2025-01-15 12:00', 'Australia/Sydney', '2025-01-15T01:00:00.000Z'],
    ['2025-07-15 12:00', 'Australia/Sydney', '2025-07-15T02:00:00.000Z'],
  ])('%s in %s', (wallClock, zone, instant) => {
    expect(instantOf(at(wallClock), zone)).toEqual({ instant: new Date(instant), isSkipped: false });
  });

  it('moves a time forward that is skipped in spring, and says so', () => {
    // 02:30 does not exist in New York on 9 March 2025: 01:59 EST is followed by 03:00 EDT.
    expect(instantOf(at('2025-03-09 02:30'), 'America/New_York')).toEqual({
      instant: new Date('2025-03-09T07:30:00.000Z'),
      isSkipped: true,
    });
  });

  it('takes the first of two in autumn', () => {
    // 01:30 happens twice in New York on 2 November 2025; first as EDT.
    expect(instantOf(at('2025-11-02 01:30'), 'America/New_York').instant).toEqual(new Date('2025-11-02T05:30:00.000Z'));
  });

  it('formats offsets, those of minutes too', () => {
    expect(formatOffset(new Date('2025-03-12T00:00:00Z'), 'Asia/Kathmandu')).toBe('+05:45');
    expect(formatOffset(new Date('2025-01-12T00:00:00Z'), 'America/St_Johns')).toBe('-03:30');
  });
});
