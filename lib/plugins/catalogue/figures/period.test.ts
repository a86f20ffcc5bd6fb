import { describe, expect, it } from 'vitest';
import { boundsOf, namePeriod, precedingPeriod } from './period.ts';
import { readPeriods } from './read-periods.ts';

/** A Wednesday. */
const today = { year: 2026, month: 11, day: 18 };
const read = (text: string) => readPeriods(text, today).map(({ period: { name, from, to } }) => [name, from, to]);

describe('readPeriods', () => {
  it.each([
    ['how many runs failed today', ['today', '2026-11-18', '2026-11-18']],
    ['昨天有多少次运行', ['yesterday', '2026-11-17', '2026-11-17']],
    ['runs this week', ['this-week', '2026-11-16', '2026-11-22']],
    ['上周失败了多少次运行', ['last-week', '2026-11-09', '2026-11-15']],
    ['上个星期', ['last-week', '2026-11-09', '2026-11-15']],
    ['last month', ['last-month', '2026-10-01', '2026-10-31']],
    ['本月', ['this-month', '2026-11-01', '2026-11-30']],
    ['last year', ['last-year', '2025-01-01', '2025-12-31']],
    ['in the past 7 days', ['last-days', '2026-11-12', '2026-11-18']],
    ['over the last two weeks', ['last-days', '2026-11-05', '2026-11-18']],
    ['最近三天', ['last-days', '2026-11-16', '2026-11-18']],
    ['近一周', ['last-days', '2026-11-12', '2026-11-18']],
    ['过去十五天', ['last-days', '2026-11-04', '2026-11-18']],
    ['on monday', ['day', '2026-11-16', '2026-11-16']],
    ['on friday', ['day', '2026-11-13', '2026-11-13']],
    ['上周三', ['day', '2026-11-11', '2026-11-11']],
    ['周五', ['day', '2026-11-13', '2026-11-13']],
    ['in march', ['month', '2026-03-01', '2026-03-31']],
    ['december', ['month', '2025-12-01', '2025-12-31']],
    ['3月份', ['month', '2026-03-01', '2026-03-31']],
    ['十月', ['month', '2026-10-01', '2026-10-31']],
    ['in 2025', ['year', '2025-01-01', '2025-12-31']],
    ['on 2026-11-02', ['day', '2026-11-02', '2026-11-02']],
    ['11月2日', ['day', '2026-11-02', '2026-11-02']],
    ['on december 24', ['day', '2025-12-24', '2025-12-24']],
    ['from 2026-11-02 to 2026-11-05', ['range', '2026-11-02', '2026-11-05']],
    ['between november 2 and november 5', ['range', '2026-11-02', '2026-11-05']],
    ['从11月2日到11月5日', ['range', '2026-11-02', '2026-11-05']],
    ['since monday', ['range', '2026-11-16', null]],
    ['上周以来', ['range', '2026-11-09', null]],
  ])('reads: %s', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it('finds two where there are two, and none where there are none', () => {
    expect(read('this week against last week').map(([name]) => name)).toEqual(['this-week', 'last-week']);
    expect(read('本周和上周相比').map(([name]) => name)).toEqual(['this-week', 'last-week']);
    expect(read('how many may I have, monthly?')).toEqual([]);
  });
});

const period = (text: string) => readPeriods(text, today)[0]?.period ?? expect.fail();

describe('a period', () => {
  it.each([
    ['this week', '2026-11-09', '2026-11-11'],
    ['last week', '2026-11-02', '2026-11-08'],
    ['this month', '2026-10-01', '2026-10-18'],
    ['last month', '2026-09-01', '2026-09-30'],
    ['this year', '2025-01-01', '2025-11-18'],
    ['today', '2026-11-17', '2026-11-17'],
    ['past 7 days', '2026-11-05', '2026-11-11'],
  ])('is compared with as much time before it: %s', (text, from, to) => {
    expect(precedingPeriod(period(text), today)).toMatchObject({ from, to });
  });

  it('begins and ends at midnight where the person is', () => {
    expect(boundsOf({ from: '2026-11-16', to: '2026-11-16' }, 'Asia/Shanghai')).toEqual({
      from: new Date('2026-11-15T16:00:00Z'),
      to: new Date('2026-11-16T16:00:00Z'),
    });
  });

  it('is named with its days', () => {
    expect(namePeriod(period('last week'), 'en')).toBe('last week (9 Nov 2026 – 15 Nov 2026)');
    expect(namePeriod(period('last week'), 'zh-CN')).toBe('上周（2026年11月9日 – 2026年11月15日）');
    expect(namePeriod(period('since monday'), 'en')).toBe('since 16 Nov 2026');
  });
});
