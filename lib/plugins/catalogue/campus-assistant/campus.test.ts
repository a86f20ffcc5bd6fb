import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { averageGrades, gradePoints, readCourses } from './grade-average.ts';
import { campusAssistant } from './manifest.ts';
import { placeInTerm, readTerms } from './teaching-week.ts';

const configuration = { terms: ['Autumn 2026 = 2026-09-07, 18', '春 2027 = 2027-03-03, 16'] };
const terms = () => {
  const read = readTerms(configuration);
  return 'problem' in read ? expect.fail(read.problem) : read;
};
const day = (text: string) => {
  const [year = 0, month = 0, number = 0] = text.split('-').map(Number);
  return { year, month, day: number };
};

describe('placeInTerm', () => {
  it.each([
    ['2026-09-07', 'Autumn 2026', 1],
    ['2026-09-13', 'Autumn 2026', 1],
    ['2026-09-14', 'Autumn 2026', 2],
    ['2027-01-10', 'Autumn 2026', 18],
    // A term that begins on a Wednesday: its first week has begun on Monday.
    ['2027-03-01', '春 2027', 1],
    ['2027-03-08', '春 2027', 2],
  ])('%s is in a week of term', (text, name, week) => {
    expect(placeInTerm(terms(), day(text))).toMatchObject({ status: 'in-term', term: { name }, week });
  });

  it('knows what comes next when no term is on', () => {
    expect(placeInTerm(terms(), day('2027-01-11'))).toMatchObject({ status: 'break', next: { name: '春 2027' }, daysUntil: 51 });
    expect(placeInTerm(terms(), day('2028-01-01'))).toEqual({ status: 'break', next: null, daysUntil: null });
  });

  it('says which line is no term', () => {
    for (const line of ['Autumn', 'Autumn = 2026-13-01, 18', 'Autumn = 2026-09-07', 'Autumn = 2026-09-07, 0'])
      expect(readTerms({ terms: [line] })).toEqual({ problem: line });
    expect(readTerms({})).toEqual([]);
  });
});

describe('averageGrades', () => {
  it('weighs by credits', () => {
    expect(averageGrades(readCourses('90x3, 85x2, 70x4') ?? [])).toEqual({ average: 80, points: 3.04, credits: 9 });
    expect([100, 90, 89.9, 60, 59].map(gradePoints)).toEqual([4, 4, 3.7, 1, 0]);
  });

  it.each(['90', '90x0', '120x3', 'ninety x 3', '90x3, and more', ''])('takes no grade from: %s', (text) => {
    expect(readCourses(text)).toBeNull();
  });
});

const call = (over: { configuration: object; locale?: 'en' | 'zh-CN' }) => {
  const capability = campusAssistant.capabilities.find(({ metadata }) => metadata.id === 'campus.week') ?? expect.fail();
  return capability.create({} as never)(
    {},
    {
      scope: { tenantId: newId('tenant'), userId: newId('user') },
      permissions: new Set(),
      runId: newId('run'),
      invocationId: newId('invocation'),
      idempotencyKey: 'k',
      clock: { now: () => new Date('2026-09-13T20:00:00Z') },
      locale: over.locale ?? 'en',
      timeZone: 'Asia/Shanghai',
      signal: AbortSignal.timeout(1_000),
      emitText: () => undefined,
      configuration: over.configuration as never,
    },
  );
};

describe('campus.week', () => {
  it('counts from the terms of the tenant, where the person is', async () => {
    // Monday morning in Shanghai, still Sunday in UTC.
    expect((await call({ configuration })).text).toBe('**Week 2** of 18, Autumn 2026.');
    expect((await call({ configuration, locale: 'zh-CN' })).text).toContain('第 2 周');
  });

  it('says what to set when nothing is', async () => {
    await expect(call({ configuration: {} })).rejects.toThrow('No terms have been entered');
    await expect(call({ configuration: { terms: ['x'] } })).rejects.toThrow('no term: x');
  });
});
