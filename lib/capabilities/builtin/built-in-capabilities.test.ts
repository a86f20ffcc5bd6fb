import { describe, expect, it } from 'vitest';
import { isAppError, type JsonObject, newId } from '#lib/kernel/index.ts';
import { isPermission } from '#lib/tenancy/index.ts';
import { createAjvArgumentValidator } from '../adapters/ajv-argument-validator.ts';
import { createMathjsExpressionEvaluator } from '../adapters/mathjs-expression-evaluator.ts';
import { createMathjsUnitConverter } from '../adapters/mathjs-unit-converter.ts';
import { readArgumentHints } from '../domain/argument-hints.ts';
import type { CapabilityCall } from '../domain/capability.ts';
import { BUILT_IN_METADATA, createBuiltInCapabilities } from './built-in-capabilities.ts';
import type { FoundPassage, RememberedFact } from './ports.ts';

const PASSAGE: FoundPassage = {
  documentId: 'doc_1',
  chunkId: 'chk_1',
  title: 'Library',
  section: 'Opening hours',
  excerpt: '- Monday: 7:30\n- Sunday: 8:30',
  score: 0.8,
};

/** The built-in capabilities over the real calculators; documents and facts are lists. */
function office({ passages = [PASSAGE], facts = [] as RememberedFact[] } = {}) {
  const capabilities = createBuiltInCapabilities({
    evaluator: createMathjsExpressionEvaluator(),
    converter: createMathjsUnitConverter(),
    passages: { search: async () => passages },
    facts: {
      remember: async ({ text, invocationId }) => {
        const fact = { id: invocationId, text, createdAt: new Date('2025-03-12T00:00:00Z') };
        if (!facts.some(({ id }) => id === fact.id)) facts.push(fact);
        return fact;
      },
      recall: async ({ query }) => facts.filter(({ text }) => query === null || text.includes(query)),
      forget: async ({ query }) => facts.filter(({ text }) => text.includes(query)),
    },
  });
  const validator = createAjvArgumentValidator();
  return async (capabilityId: string, args: JsonObject, overrides: Partial<CapabilityCall> = {}) => {
    const capability = capabilities.find(({ metadata }) => metadata.id === capabilityId);
    expect(validator.validate(capability?.metadata.inputSchema ?? { type: 'object' }, args)).toEqual({ ok: true });
    return capability?.handler?.(args, {
      scope: { tenantId: newId('tenant'), userId: newId('user') },
      permissions: new Set(),
      runId: newId('run'),
      invocationId: newId('invocation'),
      idempotencyKey: 'key',
      configuration: {},
      clock: { now: () => new Date('2025-03-12T02:00:00Z') },
      locale: 'en',
      timeZone: 'Asia/Shanghai',
      signal: AbortSignal.timeout(10_000),
      emitText: () => {},
      ...overrides,
    });
  };
}

/** The sentence a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isAppError(error)) throw new Error('expected the call to be refused');
  expect(error.code).toBe('capability_failed');
  return error.message;
}

describe('the built-in capabilities', () => {
  it('are complete assets in both languages, each with examples and a schema that compiles', () => {
    const validator = createAjvArgumentValidator();
    for (const metadata of BUILT_IN_METADATA) {
      for (const text of [metadata.title, metadata.description, ...metadata.examples]) {
        expect(text.en).toMatch(/[A-Za-z]/);
        expect(text['zh-CN']).toMatch(/\p{Script=Han}/u);
      }
      expect(metadata.examples.length).toBeGreaterThan(0);
      expect(metadata.keywords.some((keyword) => /\p{Script=Han}/u.test(keyword))).toBe(true);
      expect(metadata.requiredPermissions.every(isPermission)).toBe(true);
      const verdict = validator.validate(metadata.inputSchema, { ['no such argument']: 1 });
      expect(verdict.ok ? [] : verdict.problems.map(({ message }) => message).join()).toContain('additional properties');
    }
    expect(new Set(BUILT_IN_METADATA.map(({ id }) => id)).size).toBe(BUILT_IN_METADATA.length);
  });

  it('ask in both languages for every argument they cannot do without', () => {
    const unasked = BUILT_IN_METADATA.flatMap(({ id, inputSchema }) =>
      readArgumentHints(inputSchema)
        .filter((hints) => hints.isRequired && !hints.ask)
        .map((hints) => `${id}.${hints.name}`),
    );
    expect(unasked).toEqual([]);
  });

  it('change nothing unless they say so', () => {
    const changing = BUILT_IN_METADATA.filter(({ sideEffect }) => sideEffect !== 'read').map(({ id }) => id);
    expect(changing).toEqual(['memory.remember', 'memory.forget', 'agents.delegate']);
    expect(BUILT_IN_METADATA.find(({ id }) => id === 'memory.remember')?.idempotency).toBe('keyed');
  });
});

describe('time', () => {
  it('tells the time somewhere, and here', async () => {
    const call = office();
    expect((await call('time.now', { zone: 'Tokyo' }))?.text).toBe('It is **11:00** in Tokyo (Wednesday, 12 March 2025, UTC+09:00).');
    expect((await call('time.now', {}, { locale: 'zh-CN' }))?.text).toBe('北京现在是 **10:00**（2025年3月12日星期三，UTC+08:00）。');
    expect((await call('time.now', { zone: 'America/New_York' }))?.output).toMatchObject({
      time: '22:00',
      utcOffset: '-04:00',
      instant: '2025-03-12T02:00:00.000Z',
    });
  });

  it('says what it needs when it does not know a place', async () => {
    expect(await refusal(office()('time.now', { zone: 'Mars' }))).toContain('“Mars”');
    expect(await refusal(office()('time.now', { zone: '火星' }, { locale: 'zh-CN' }))).toContain('“火星”');
  });

  it('converts between places, over the date line and clock changes', async () => {
    const call = office();
    const converted = await call('time.convert', { time: '15:00', from: 'Shanghai', to: 'New York' });
    expect(converted?.text).toBe('15:00 in Beijing is **03:00** in New York (Wednesday, 12 March 2025).');
    const inWinter = await call('time.convert', { time: '15:00', date: '2025-01-15', from: 'Shanghai', to: 'New York' });
    expect(inWinter?.output).toMatchObject({ to: { time: '02:00' } });
    const nextDay = await call('time.convert', { time: '20:00', from: 'America/Los_Angeles', to: 'Tokyo' }, { locale: 'zh-CN' });
    expect(nextDay?.text).toContain('东京 **12:00**（2025年3月12日');
    const skipped = await call('time.convert', { time: '2:30', date: '2025-03-09', from: 'New York', to: 'UTC' });
    expect(skipped?.text).toContain('skip 2:30');
  });
});

describe('the calculator', () => {
  it.each([
    ['17% of 2,340', '17% of 2,340 = **397.8**'],
    ['2,340 的 17%', '2,340 的 17% = **397.8**'],
    ['0.1 + 0.2', '0.1 + 0.2 = **0.3**'],
    ['1234567 * 1000', '1234567 \\* 1000 = **1,234,567,000**'],
    ['（3 + 4）× 5', '（3 + 4）× 5 = **35**'],
    ['sqrt(144)', 'sqrt(144) = **12**'],
  ])('works out %s', async (expression, text) => {
    expect((await office()('math.calculate', { expression }))?.text).toBe(text);
  });

  it.each([
    ['1 / 0', 'has no result'],
    ['9^9^9', 'too long or too large'],
    ['import("fs")', 'more than arithmetic'],
    ['hello there', 'could not read'],
  ])('refuses %s in a sentence', async (expression, sentence) => {
    const call = office();
    expect(await refusal(call('math.calculate', { expression }))).toMatch(new RegExp(`${sentence}|more than arithmetic`));
    expect(await refusal(call('math.calculate', { expression }, { locale: 'zh-CN' }))).toMatch(/\p{Script=Han}/u);
  });
});

describe('units', () => {
  it('converts in both languages', async () => {
    const call = office();
    expect((await call('units.convert', { value: 5, from: 'mile', to: 'km' }))?.text).toBe('5 miles = **8.04672 kilometres**');
    expect((await call('units.convert', { from: 'mile', to: 'foot' }))?.text).toBe('1 mile = **5,280 feet**');
    expect((await call('units.convert', { value: 100, from: 'fahrenheit', to: 'celsius' }, { locale: 'zh-CN' }))?.text).toBe(
      '100 华氏度 = **37.777778 摄氏度**',
    );
  });

  it('says when two units measure different things', async () => {
    expect(await refusal(office()('units.convert', { value: 1, from: 'kg', to: 'km' }))).toBe(
      'kilograms and kilometres measure different things, so one cannot be turned into the other.',
    );
  });
});

describe('text statistics', () => {
  it.each([
    ['to be or not to be', { words: 6, characters: 18, sentences: 1, lines: 1, chineseCharacters: 0 }],
    ['学而时习之，不亦说乎？\n有朋自远方来。', { words: 0, characters: 19, sentences: 2, lines: 2, chineseCharacters: 15 }],
    ['你好 world 👨‍👩‍👧!', { words: 1, characters: 11, sentences: 1, chineseCharacters: 2 }],
    ["It's 2,340. Really?", { words: 3, sentences: 2 }],
  ])('counts %s', async (text, counts) => {
    expect((await office()('text.statistics', { text }))?.output).toMatchObject(counts);
  });

  it('takes a long text', async () => {
    expect((await office()('text.statistics', { text: 'word '.repeat(40_000) }))?.output).toMatchObject({
      words: 40_000,
      readingTimeSeconds: 12_000,
    });
  });
});

describe('document search', () => {
  it('quotes the lines word for word under their place, with the place as data', async () => {
    const result = await office()('knowledge.search', { query: 'library hours' });
    expect(result?.text).toBe('**Library › Opening hours**\n\n> - Monday: 7:30\n> - Sunday: 8:30');
    expect(result?.output).toMatchObject({
      passages: [{ documentId: 'doc_1', chunkId: 'chk_1', title: 'Library', section: 'Opening hours' }],
    });
  });

  it('says when nothing answers', async () => {
    expect((await office({ passages: [] })('knowledge.search', { query: 'x' }))?.text).toBe('Nothing in the documents here answers “x”.');
    expect((await office({ passages: [] })('knowledge.search', { query: 'x' }, { locale: 'zh-CN' }))?.text).toContain('没有找到');
  });
});

describe('memory', () => {
  it('keeps one fact for one invocation, tells it and forgets it', async () => {
    const call = office();
    const invocationId = newId('invocation');
    await call('memory.remember', { text: 'I like tea' }, { invocationId });
    await call('memory.remember', { text: 'I like tea' }, { invocationId });
    expect((await call('memory.recall', {}))?.text).toBe('You asked me to remember:\n\n- I like tea');
    expect((await call('memory.recall', { query: 'coffee' }))?.text).toBe('I have nothing remembered about “coffee”.');
    expect((await call('memory.forget', { query: 'tea' }))?.text).toBe('Forgotten:\n\n- I like tea');
    expect((await call('memory.forget', { query: 'coffee' }, { locale: 'zh-CN' }))?.text).toBe('我没有记住过关于“coffee”的事。');
  });
});

it('echoes a text as it is', async () => {
  expect((await office()('echo', { text: ' ＡＢＣ *x* \n' }))?.text).toBe(' ＡＢＣ *x* \n');
});
