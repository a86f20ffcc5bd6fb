import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { BUILT_IN_METADATA } from '#lib/capabilities/index.ts';
import { planRequest } from '#lib/supervisor/index.ts';
import { CATALOGUE } from './catalogue.ts';
import { handbookTenant } from './handbook.ts';
import { judgePlans, LABELLED_SET, type Verdict } from './judge-plans.ts';

const isChinese = (text: string) => /\p{Script=Han}/u.test(text);

function shareRight(verdicts: readonly Verdict[]): number {
  return verdicts.filter((verdict) => verdict.isRight).length / verdicts.length;
}

/** `97.7% (125 of 128)` */
function figure(verdicts: readonly Verdict[]): string {
  const right = verdicts.filter((verdict) => verdict.isRight).length;
  return `${((100 * right) / verdicts.length).toFixed(1)}% (${right} of ${verdicts.length})`;
}

/** Hundreds of plans, on a machine that may have other work. */
const TIME_LIMIT_MS = 60_000;

describe('the labelled set', () => {
  const { utterances } = LABELLED_SET;

  it('is as large and as mixed as P-07 asks', () => {
    expect(utterances.length).toBeGreaterThanOrEqual(160);
    expect(utterances.filter(({ kind }) => kind === 'unsupported').length).toBeGreaterThanOrEqual(40);
    const chinese = utterances.filter(({ text }) => isChinese(text)).length / utterances.length;
    expect(chinese).toBeGreaterThan(0.4);
    expect(chinese).toBeLessThan(0.6);
    expect(utterances.filter(({ plan }) => plan.length > 1).length).toBeGreaterThanOrEqual(12);
    expect(new Set(utterances.map(({ text }) => text)).size).toBe(utterances.length);
  });

  it('is judged over at least 30 capabilities, most of them not our own, and asks for each', () => {
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(30);
    expect(BUILT_IN_METADATA.length).toBeLessThan(CATALOGUE.length / 2);
    const asked = new Set(utterances.flatMap(({ plan }) => plan));
    expect(CATALOGUE.map(({ id }) => id).filter((id) => !asked.has(id))).toEqual([]);
  });

  verifies(
    'P-07',
    'is planned right at least 85 times in 100, also in the half that the planner was not tuned on',
    async () => {
      const verdicts = await judgePlans();
      const tuning = verdicts.filter(({ utterance }) => utterance.half === 'tuning');
      const heldOut = verdicts.filter(({ utterance }) => utterance.half === 'held-out');
      console.info(`Right plans: ${figure(verdicts)}; tuning half ${figure(tuning)}, held-out half ${figure(heldOut)}.`);
      expect(shareRight(verdicts)).toBeGreaterThanOrEqual(0.85);
      expect(shareRight(heldOut)).toBeGreaterThanOrEqual(0.85);
      const withArguments = verdicts.filter(({ utterance, isRight }) => isRight && utterance.arguments);
      expect(withArguments.length).toBeGreaterThan(40);
      expect(withArguments.filter(({ hasArguments }) => hasArguments).length / withArguments.length).toBeGreaterThanOrEqual(0.85);
    },
    TIME_LIMIT_MS,
  );

  it(
    'is planned right without a look into the documents too, by their topics alone',
    async () => {
      const verdicts = await judgePlans({ withDocuments: false });
      expect(shareRight(verdicts)).toBeGreaterThanOrEqual(0.85);
    },
    TIME_LIMIT_MS,
  );
});

describe('the planner', () => {
  verifies('P-07', 'names no capability in its code', () => {
    const folders = ['lib/supervisor/domain', 'lib/capabilities/discovery', 'lib/capabilities/domain'];
    const sources = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => readFileSync(path.join(folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    );
    expect(sources.length).toBeGreaterThan(20);
    const dotted = CATALOGUE.map(({ id }) => id).filter((id) => id.includes('.'));
    expect(dotted.filter((id) => sources.some((source) => source.includes(id)))).toEqual([]);
  });

  verifies('P-07', 'finds the two requests of the first questions a newcomer is offered', async () => {
    const tenant = await handbookTenant();
    const plan = async (message: string) => {
      const { summary, documents } = await tenant.describe(message);
      const { steps } = planRequest({ message, capabilities: BUILT_IN_METADATA, ontologySummary: summary, documents, locale: 'en' });
      return steps.map(({ capabilityId, arguments: args }) => ({ capabilityId, ...args }));
    };
    expect(await plan('What time is it in Tokyo and what is 17% of 2,340?')).toEqual([
      { capabilityId: 'time.now', zone: 'Asia/Tokyo' },
      { capabilityId: 'math.calculate', expression: '17% of 2,340' },
    ]);
    expect(await plan('奖学金申请材料有哪些，晚上食堂营业到几点？')).toEqual([
      { capabilityId: 'knowledge.search', query: '奖学金申请材料有哪些' },
      { capabilityId: 'knowledge.search', query: '晚上食堂营业到几点' },
    ]);
  });
});

describe('the handbook', () => {
  it.each([
    ['奖学金申请材料有哪些', '奖学金', '成绩单'],
    ['晚上食堂营业到几点', '食堂与餐饮', '22:30'],
    ['When does the library close on Sundays?', 'Library', '22:00'],
    ['What documents do I need for a scholarship?', 'Scholarships', 'letter of recommendation'],
    ['图书馆最多能借几本书', '图书馆', '15 本'],
    ['is the swimming pool open in the evening', 'Sports facilities', '20:30'],
    ['宿舍晚上几点关门', '宿舍', '23:00'],
    ['how do I connect to the wifi', 'Campus network and IT help', 'Campus-WiFi'],
    ['食堂有没有清真窗口', '食堂与餐饮', '清真食堂'],
    ['What happens if I miss an exam because I was ill?', 'Examinations and enrolment', '3 working days'],
  ])('answers: %s', async (query, title, words) => {
    const [best] = await (await handbookTenant()).search(query);
    expect(best).toMatchObject({ title, excerpt: expect.stringContaining(words) });
  });

  it('says the same in both languages', () => {
    const folder = 'db/seed/handbook';
    for (const file of readdirSync(path.join(folder, 'en'))) {
      const figures = ['en', 'zh-CN'].map((language) => {
        const text = readFileSync(path.join(folder, language, file), 'utf8');
        return [...text.matchAll(/\d{1,2}:\d{2}|8000-\d{4}/g)].map(([found]) => found).sort();
      });
      expect({ file, figures: new Set(figures[0]) }).toEqual({ file, figures: new Set(figures[1]) });
    }
  });
});
