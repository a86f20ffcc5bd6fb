import { describe, expect, it } from 'vitest';
import { dayIn } from './calendar-day.ts';
import { findDates } from './dates-in-text.ts';
import { foldText } from './folded-text.ts';
import { findNumbers } from './numbers-in-text.ts';
import { findTimes } from './times-in-text.ts';

/** A Wednesday. */
const TODAY = { year: 2025, month: 3, day: 12 };

describe('findDates', () => {
  it.each([
    ['tomorrow at 3pm', ['2025-03-13']],
    ['the day after tomorrow', ['2025-03-14']],
    ['next Monday', ['2025-03-17']],
    ['on Friday', ['2025-03-14']],
    ['in three weeks', ['2025-04-02']],
    ['from 3 May to May 7th', ['2025-05-03', '2025-05-07']],
    ['January 5', ['2026-01-05']],
    ['2025-12-31', ['2025-12-31']],
    ['from the 5th to the 7th', ['2025-04-05', '2025-04-07']],
    ['this weekend', ['2025-03-15']],
    ['明天下午', ['2025-03-13']],
    ['大后天', ['2025-03-15']],
    ['下周一', ['2025-03-17']],
    ['周五', ['2025-03-14']],
    ['三天后', ['2025-03-15']],
    ['5月1日到5月3日', ['2025-05-01', '2025-05-03']],
    ['2026年2月28日', ['2026-02-28']],
    ['3月5号', ['2025-03-05']],
    ['30 February', []],
    ['may I ask', []],
    ['3号楼', []],
  ])('reads %s', (text, dates) => {
    expect(findDates(foldText(text), TODAY).map((match) => match.date)).toEqual(dates);
  });

  it('does not guess relative days without a today', () => {
    expect(findDates('tomorrow, monday and 2025-03-20', null).map((match) => match.date)).toEqual(['2025-03-20']);
  });

  it('knows the day where the person is', () => {
    const now = new Date('2025-03-12T20:00:00Z');
    expect(dayIn('Asia/Shanghai', now)).toEqual({ year: 2025, month: 3, day: 13 });
    expect(dayIn('America/New_York', now)).toEqual({ year: 2025, month: 3, day: 12 });
  });
});

describe('findTimes', () => {
  it.each([
    ['at 3pm', ['15:00']],
    ['3:45 p.m.', ['15:45']],
    ['12 am and 12pm', ['00:00', '12:00']],
    ['15:30', ['15:30']],
    ['at 3 on Friday', ['15:00']],
    ['at 9 tomorrow', ['09:00']],
    ['see you at 4.', ['16:00']],
    ['at 4.2% for 3 years', []],
    ['noon', ['12:00']],
    ['half past 9', ['09:30']],
    ['下午三点半', ['15:30']],
    ['晚上8点', ['20:00']],
    ['早上9点到11点', ['09:00', '11:00']],
    ['中午12点', ['12:00']],
    ['凌晨两点一刻', ['02:15']],
    ['一点也不', []],
    ['几点', []],
    ['25:00', []],
  ])('reads %s', (text, times) => {
    expect(findTimes(foldText(text)).map((match) => match.time)).toEqual(times);
  });
});

describe('findNumbers', () => {
  it.each([
    ['2,340 and 1,234,567.5', [2340, 1234567.5]],
    ['3,4', [3, 4]],
    ['3万 and 1.5k', [30000, 1500]],
    ['for six people', [6]],
    ['two hundred and five', [205]],
    ['a dozen', [12]],
    ['which one', []],
    ['三百五十', [350]],
    ['两万三千', [23000]],
    ['五个人', [5]],
    ['二十五', [25]],
    ['一下', []],
    ['万一', []],
    ['b2b', []],
  ])('reads %s', (text, numbers) => {
    expect(findNumbers(foldText(text)).map((match) => match.value)).toEqual(numbers);
  });
});
