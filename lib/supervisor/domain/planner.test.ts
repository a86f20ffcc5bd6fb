import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { BUILT_IN_METADATA, type CapabilityMetadata } from '#lib/capabilities/index.ts';
import { canonicalJson } from '#lib/kernel/index.ts';
import { executionPlan } from './execution-plan.ts';
import { type PlanRequest, planRequest } from './planner.ts';

const ONTOLOGY = [
  'Library: Opening hours, Borrowing books',
  'Dormitory: Visitors, Fees',
  '图书馆: 开放时间, 借阅规则',
  '食堂: 营业时间, 夜宵',
].join('\n');

function plan(message: string | null, overrides: Partial<PlanRequest> = {}) {
  return planRequest({
    message,
    capabilities: BUILT_IN_METADATA,
    ontologySummary: ONTOLOGY,
    locale: 'en',
    now: new Date('2025-03-12T02:00:00Z'),
    timeZone: 'Asia/Shanghai',
    ...overrides,
  });
}

/** `time.now{"zone":"Asia/Tokyo"}` for each step. */
function steps(message: string, overrides: Partial<PlanRequest> = {}): string[] {
  return plan(message, overrides).steps.map((step) => `${step.capabilityId}${JSON.stringify(step.arguments)}`);
}

/** A capability a plugin might bring, with nothing but the given differing from a plain one. */
function capability(id: string, overrides: Partial<CapabilityMetadata>): CapabilityMetadata {
  return {
    id,
    version: '1.0.0',
    status: 'active',
    domain: id,
    title: { en: id, 'zh-CN': id },
    description: { en: '', 'zh-CN': '' },
    keywords: [],
    examples: [],
    inputSchema: { type: 'object', properties: {} },
    requiredPermissions: [],
    sideEffect: 'read',
    idempotency: 'idempotent',
    timeoutMs: 1_000,
    ...overrides,
  };
}

describe('planRequest', () => {
  verifies('P-07', 'takes null for an empty message and for no capabilities', () => {
    expect(plan(null)).toMatchObject({ intent: { kind: 'empty' }, steps: [] });
    expect(plan(' \n\t')).toMatchObject({ intent: { kind: 'empty' } });
    expect(plan('what time is it?', { capabilities: null })).toMatchObject({ intent: { kind: 'unsupported' }, steps: [], candidates: [] });
  });

  verifies('P-07', 'sums a plan up as kind, confidence, rationale and steps', () => {
    for (const message of ['what time is it in Tokyo', '现在几点', 'hello', 'tell me a joke', null, 'convert', 'what time is it and 2+2']) {
      const { intent, steps: planned, summary } = plan(message);
      expect(summary).toBe(`${intent.kind} (${intent.confidence.toFixed(2)}): ${intent.rationale} -> ${planned.length} step(s)`);
      expect(intent.confidence >= 0 && intent.confidence <= 1).toBe(true);
    }
    expect(plan(null).summary).toBe('empty (1.00): the message is empty -> 0 step(s)');
  });

  describe('divides a message into requests', () => {
    it.each([
      [
        'What time is it in Tokyo and what is 17% of 2,340?',
        ['time.now{"zone":"Asia/Tokyo"}', 'math.calculate{"expression":"17% of 2,340"}'],
      ],
      ['现在几点？然后把5英里换算成公里', ['time.now{}', 'units.convert{"value":5,"from":"mile","to":"km"}']],
      [
        '17% of 2,340, sqrt(2), and 5 miles in km',
        [
          'math.calculate{"expression":"17% of 2,340"}',
          'math.calculate{"expression":"sqrt(2)"}',
          'units.convert{"value":5,"from":"mile","to":"km"}',
        ],
      ],
      ['thanks, and what is 12*12?', ['math.calculate{"expression":"12*12"}']],
    ])('%s', (message, expected) => {
      expect(steps(message)).toEqual(expected);
    });

    it.each([
      ['average of 3, 4 and 5', 'math.calculate{"expression":"average of 3, 4 and 5"}'],
      ['how many words are in "first, second and third? yes"', 'text.statistics{"text":"first, second and third? yes"}'],
      ['Count the words in: what time is it in Tokyo? And in Rome?', 'text.statistics{"text":"what time is it in Tokyo? And in Rome?"}'],
      ['please remember: my adviser is Dr. Chen, room 12', 'memory.remember{"text":"my adviser is Dr. Chen, room 12"}'],
      ['remember that I like tea, coffee and cake', 'memory.remember{"text":"I like tea, coffee and cake"}'],
      ['if it is 3pm in Paris, what time is it in Oslo?', 'time.convert{"time":"15:00","from":"Europe/Paris","to":"Europe/Oslo"}'],
    ])('but not in the middle of one: %s', (message, expected) => {
      expect(steps(message)).toEqual([expected]);
    });

    it('makes one call for each value named in one breath', () => {
      expect(steps('What time is it in Tokyo, London and New York?')).toEqual([
        'time.now{"zone":"Asia/Tokyo"}',
        'time.now{"zone":"Europe/London"}',
        'time.now{"zone":"America/New_York"}',
      ]);
      expect(steps('东京和巴黎现在几点')).toEqual(['time.now{"zone":"Asia/Tokyo"}', 'time.now{"zone":"Europe/Paris"}']);
    });

    it('asks the same of every subject of one question', () => {
      expect(steps('图书馆和食堂几点关门')).toEqual([
        'knowledge.search{"query":"图书馆几点关门"}',
        'knowledge.search{"query":"食堂几点关门"}',
      ]);
      expect(steps('When do the library and the dormitory close?')).toEqual([
        'knowledge.search{"query":"When do the library close"}',
        'knowledge.search{"query":"the dormitory close"}',
      ]);
    });

    it('says the same thing once', () => {
      expect(steps('what time is it? what time is it?')).toEqual(['time.now{}']);
    });

    it('keeps the order of the message', () => {
      expect(steps('2 + 2 and then the time in Oslo')).toEqual(['math.calculate{"expression":"2 + 2"}', 'time.now{"zone":"Europe/Oslo"}']);
      expect(steps('the time in Oslo and then 2 + 2')).toEqual(['time.now{"zone":"Europe/Oslo"}', 'math.calculate{"expression":"2 + 2"}']);
    });
  });

  describe('what it cannot plan', () => {
    it('asks for what is missing, by capability and argument', () => {
      expect(plan('convert')).toMatchObject({
        intent: { kind: 'clarify' },
        steps: [],
        missing: [
          { capabilityId: 'units.convert', argument: 'from', clause: 'convert' },
          { capabilityId: 'units.convert', argument: 'to', clause: 'convert' },
        ],
      });
    });

    it('plans what is complete beside what is not', () => {
      const mixed = plan('what time is it in Oslo, and please calculate');
      expect(mixed).toMatchObject({
        intent: { kind: 'clarify' },
        steps: [{ capabilityId: 'time.now' }],
        missing: [{ capabilityId: 'math.calculate' }],
      });
    });

    it('names the part that nothing answers', () => {
      expect(plan('What time is it in Tokyo and who won the world cup?')).toMatchObject({
        intent: { kind: 'task', rationale: expect.stringContaining('who won the world cup') },
        steps: [{ capabilityId: 'time.now' }],
        unanswered: ['who won the world cup'],
      });
    });

    it.each(['who won the world cup', '给我讲个笑话', 'book me a flight to Rome', '5 feet 11 inches in cm', 'asdf qwer'])(
      'leaves alone: %s',
      (message) => {
        expect(plan(message)).toMatchObject({ intent: { kind: 'unsupported' }, steps: [] });
      },
    );

    it.each([
      ['hello', 'greeting'],
      ['谢谢！', 'greeting'],
      ['Good morning 👋', 'greeting'],
      ['what can you do?', 'help'],
      ['你能做什么', 'help'],
    ])('knows small talk: %s is %s', (message, kind) => {
      expect(plan(message)).toMatchObject({ intent: { kind }, steps: [] });
    });

    it('does not take a greeting before a request for small talk', () => {
      expect(steps('Hello! What time is it?')).toEqual(['time.now{}']);
    });
  });

  describe('the tenant’s documents', () => {
    it('answer a question about one of their topics', () => {
      expect(steps('when does the library open?')).toEqual(['knowledge.search{"query":"when does the library open"}']);
      expect(steps('when does the library open?', { ontologySummary: '' })).toEqual([]);
    });

    it('answer what a passage of theirs has, whatever the headings say', () => {
      const documents = {
        passageCount: 50,
        frequency: new Map([
          ['parrot', 1],
          ['keep', 2],
        ]),
        passages: [new Set(['parrot', 'keep'])],
      };
      expect(steps('may I keep a parrot?')).toEqual([]);
      expect(steps('may I keep a parrot?', { documents })).toEqual(['knowledge.search{"query":"may I keep a parrot"}']);
    });

    it('do not take over a request because they use one of its words', () => {
      const documents = { passageCount: 50, frequency: new Map([['time', 9]]), passages: [new Set(['time'])] };
      expect(steps('what time is it?', { documents, ontologySummary: 'Dormitory: Closing time' })).toEqual(['time.now{}']);
    });

    it('are searched by whichever capability says so, not by one that is known by name', () => {
      const other = capability('acme.lookup', {
        inputSchema: {
          type: 'object',
          properties: { q: { type: 'string', 'x-source': 'clause' } },
          required: ['q'],
          'x-uses-ontology': true,
        },
      });
      expect(steps('when does the library open?', { capabilities: [other] })).toEqual(['acme.lookup{"q":"when does the library open"}']);
    });
  });

  it('plans for capabilities it has never seen, from a plain schema', () => {
    const parcel = capability('acme.track', {
      keywords: ['parcel', 'package', '包裹'],
      inputSchema: { type: 'object', properties: { number: { type: 'string', pattern: '^[A-Z]{2}[0-9]{8}$' } }, required: ['number'] },
    });
    expect(steps('where is my parcel ab12345678?', { capabilities: [...BUILT_IN_METADATA, parcel] })).toEqual([
      'acme.track{"number":"AB12345678"}',
    ]);
  });

  it('asks twice before it takes a question for a change', () => {
    const write = capability('acme.delete', { keywords: ['account'], sideEffect: 'destructive' });
    const read = capability('acme.show', { keywords: ['account'] });
    expect(steps('is this account mine?', { capabilities: [write, read] })).toEqual(['acme.show{}']);
  });

  it('gives its reasons in the language of the run', () => {
    expect(plan('what time is it in Tokyo').steps[0]?.rationale).toContain('zone = Asia/Tokyo');
    expect(plan('东京现在几点', { locale: 'zh-CN' })).toMatchObject({
      intent: { rationale: '由当前时间回答' },
      steps: [{ rationale: expect.stringContaining('关键词') }],
    });
  });

  it('does not understand relative days without a now', () => {
    const book = capability('acme.book', {
      keywords: ['desk'],
      inputSchema: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
    });
    const request = { message: 'desk tomorrow', capabilities: [book], ontologySummary: '', locale: 'en' } as const;
    expect(planRequest({ ...request, now: new Date('2025-03-12T20:00:00Z'), timeZone: 'Asia/Shanghai' }).steps[0]?.arguments).toEqual({
      day: '2025-03-14',
    });
    expect(planRequest(request)).toMatchObject({ intent: { kind: 'clarify' } });
  });

  verifies('P-07', 'is pure and total: any string has one plan, which can be stored and read back', () => {
    const word = fc.constantFrom(
      'what',
      'time',
      '现在几点',
      'and',
      '，',
      '17%',
      'of',
      '2,340',
      '“',
      '"',
      'remember',
      '：',
      'in',
      'Tokyo',
      '\u0000',
      '\ud800',
      '👩‍👩‍👧',
      'convert',
      '5',
      'km',
      '?',
      '\n',
      '图书馆',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
        ),
        (message) => {
          const first = plan(message);
          expect(canonicalJson(plan(message))).toBe(canonicalJson(first));
          expect(executionPlan.parse(JSON.parse(JSON.stringify(first)))).toEqual(JSON.parse(JSON.stringify(first)));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('stays quick on a message of any length', () => {
    const pieces = [
      '奖学金申请材料有哪些，晚上食堂营业到几点？',
      'What time is it in Tokyo and what is 2+2? ',
      '1,',
      '"',
      "' ",
      'a:',
      '(',
      '一百万',
      ' and ',
      '3月5日',
      '3pm ',
      'x@y.z ',
    ];
    const startedAt = performance.now();
    for (const piece of pieces) plan(piece.repeat(Math.ceil(100_000 / piece.length)));
    // Twelve messages of 100,000 characters; quadratic time would take hours.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
