import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type AssistantPart, estimateTokens, type PromptMessage, rememberCounts, type ToolResultPart } from '#lib/models/index.ts';
import { fitConversation, withModelSummary } from './compaction.ts';
import { type Conversation, openConversation, promptOf, type Room, sizeOf, totalSize, withSteps } from './conversation.ts';
import { INTERRUPTED_CALL } from './message-order.ts';

/** `npm run test:deep` asks for 100,000. */
const HISTORIES = Number(process.env.RANDOM_HISTORIES ?? 150);

const roomOf = (limitTokens: number, toolTokens = 0): Room => ({ limitTokens, toolTokens, count: rememberCounts(estimateTokens) });
const user = (content: string): PromptMessage => ({ role: 'user', content });
const says = (text: string): PromptMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const calls = (...ids: string[]): PromptMessage => ({
  role: 'assistant',
  content: ids.map((callId) => ({ type: 'tool-call', callId, toolName: 'look', arguments: { at: callId } })),
});
const gives = (results: Record<string, string>): PromptMessage => ({
  role: 'tool',
  results: Object.entries(results).map(([callId, text]) => ({ callId, toolName: 'look', text, isError: false })),
});
const turn = (id: string, words = 40) => ({
  id,
  messages: [user(`question ${id} ${'word '.repeat(words)}`), says(`answer ${id} ${'said '.repeat(words)}`)],
});
const turns = (count: number, words?: number) => Array.from({ length: count }, (_, index) => turn(`t${index}`, words));
const tokensOf = (conversation: Conversation, room: Room) => totalSize(sizeOf(conversation, room));
const rolesOf = (conversation: Conversation) => promptOf(conversation).map(({ role }) => role);

describe('fitConversation', () => {
  verifies('H-05', 'leaves what fits alone, and compacts what is above the limit', () => {
    const room = roomOf(1_000);
    const small = openConversation({ system: 'Be brief.', request: 'hello', turns: turns(2) });
    expect(fitConversation(small, room)).toEqual({ result: 'simple', conversation: small });
    const large = openConversation({ system: 'Be brief.', request: 'hello', turns: turns(20) });
    const fitted = fitConversation(large, room);
    expect(fitted.result).toBe('compacted');
    expect(tokensOf(large, room)).toBeGreaterThan(1_000);
    expect(tokensOf(fitted.conversation, room)).toBeLessThanOrEqual(1_000);
  });

  verifies('H-05', 'refuses a message that cannot fit beside the system prompt and the tools', () => {
    const refusal = expect.objectContaining({ code: 'message_too_large', details: expect.objectContaining({ limitTokens: 100 }) });
    expect(() => fitConversation(openConversation({ system: 's', request: '字'.repeat(101) }), roomOf(100))).toThrow(refusal);
    expect(() => fitConversation(openConversation({ system: 's', request: '字'.repeat(60) }), roomOf(100, 50))).toThrow(refusal);
  });

  verifies('H-06', 'keeps near turns whole, and what older ones came to apart from them', () => {
    const { conversation } = fitConversation(openConversation({ system: 's', request: 'now', turns: turns(20) }), roomOf(1_000));
    const kept = conversation.turns.map(({ id }) => id);
    expect(kept.length).toBeGreaterThan(2);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => `t${20 - kept.length + index}`));
    expect(conversation.turns.at(-1)?.messages).toEqual(turn('t19').messages);
    expect(conversation.summary).toContain('Asked: question t');
    expect(JSON.stringify(conversation.turns)).not.toContain('question t0 ');
  });

  verifies('H-06', 'summarises many turns however short they are', () => {
    const fitted = fitConversation(openConversation({ system: 's', request: 'now', turns: turns(60, 1) }), roomOf(100_000));
    expect(fitted.conversation.turns).toHaveLength(20);
    expect(fitted.conversation.summary?.split('\n')).toHaveLength(80);
  });

  verifies(['H-07'], 'makes the next summary of the last one and what leaves, and of nothing that stays', () => {
    const room = roomOf(1_000);
    const first = fitConversation(openConversation({ system: 's', request: 'now', turns: turns(20) }), room).conversation;
    const grown = {
      ...first,
      turns: [...first.turns, ...openConversation({ system: 's', request: 'x', turns: [turn('t20', 300)] }).turns],
    };
    const again = fitConversation({ ...grown, summary: 'KEPT: the person is Ada.' }, room);
    expect(again.result).toBe('compacted');
    expect(again.conversation.summary).toContain('KEPT: the person is Ada.');
    const gone = again.result === 'compacted' ? again.dropped.turns.map(({ id }) => id) : [];
    expect(again.conversation.summary).toContain(`question ${gone.at(-1)} `);
    for (const { id } of again.conversation.turns) expect(again.conversation.summary).not.toContain(`question ${id} `);
  });

  verifies(['H-08', 'K13'], 'keeps ten parallel calls with their results, or lets them go together', () => {
    const ids = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const results = Object.fromEntries(ids.map((id) => [id, `result of ${id} ${'x '.repeat(10)}`]));
    const history = [{ id: 'a', messages: [user('do ten'), calls(...ids), gives(results), says('done')] }, turn('b'), turn('c')];
    for (let limit = 300; limit < 1_500; limit += 25) {
      const { conversation } = fitConversation(openConversation({ system: 's', request: 'and now?', turns: history }), roomOf(limit));
      expectWhole(promptOf(conversation));
      expect(tokensOf(conversation, roomOf(limit))).toBeLessThanOrEqual(limit);
    }
  });

  verifies(['H-08', 'K13'], 'answers a call whose run died before its result', () => {
    const died = openConversation({
      system: 's',
      request: 'go on',
      turns: [{ id: 'a', messages: [user('do'), calls('c1', 'c2'), gives({ c2: 'two' })] }],
    });
    expect(promptOf(died).slice(2)).toEqual([
      calls('c1', 'c2'),
      {
        role: 'tool',
        results: [
          { callId: 'c1', toolName: 'look', text: INTERRUPTED_CALL, isError: true },
          { callId: 'c2', toolName: 'look', text: 'two', isError: false },
        ],
      },
      says('(There was no answer.)'),
      user('go on'),
    ]);
  });

  verifies(['H-08', 'K14'], 'keeps the question when tool results fill the room in the middle of a turn', () => {
    const room = roomOf(1_200);
    const question = 'What must be answered? 这个问题不能丢。';
    const base = openConversation({ system: 'SYSTEM', request: question, turns: turns(4) });
    const steps = Array.from({ length: 12 }, (_, index) => [
      calls(`c${index}`),
      gives({ [`c${index}`]: `found ${index} ${'word '.repeat(90)}` }),
    ]).flat();
    const { conversation } = fitConversation(withSteps(base, steps), room);
    const prompt = promptOf(conversation);
    expect(prompt[0]).toEqual({ role: 'system', content: 'SYSTEM' });
    expect(String(prompt[1]?.role === 'user' && prompt[1].content)).toContain('What you have done so far for the last message');
    expect(prompt.findLast(({ role }) => role === 'user')).toEqual(user(question));
    expect(prompt.at(-1)).toEqual(gives({ c11: `found 11 ${'word '.repeat(90)}` }));
    expect(conversation.progress).toMatch(/look gave: found \d/);
    expectWhole(prompt);
  });

  verifies(['K14'], 'begins with a role that every provider accepts where no message of a person is left', () => {
    const orphaned = openConversation({
      system: 's',
      request: 'now',
      turns: [{ id: 'a', messages: [says('I said something'), calls('c'), gives({ c: 'x' })] }],
    });
    expect(rolesOf(orphaned)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
  });

  verifies(['K14'], 'never summarises a first message alone', () => {
    const room = roomOf(400);
    const first = openConversation({ system: 's', request: '字'.repeat(390) });
    expect(fitConversation(first, room)).toEqual({ result: 'simple', conversation: first });
  });

  it('cuts a result that is larger than the window, and says how to read on (known fault K8)', () => {
    const room = roomOf(2_000);
    const steps = [calls('c1', 'c2'), gives({ c1: 'A'.repeat(50) + ' lorem ipsum'.repeat(400_000), c2: 'short' })];
    const { conversation } = fitConversation(withSteps(openConversation({ system: 's', request: 'read it' }), steps), room);
    expect(tokensOf(conversation, room)).toBeLessThanOrEqual(2_000);
    const results = promptOf(conversation).flatMap((message) => (message.role === 'tool' ? message.results : []));
    expect(results.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
    expect(results[0]?.text).toMatch(/^AAAA[^]*\[Cut here: the rest does not fit/);
    expect(results[1]?.text).toBe('short');
  });

  verifies('K20', 'keeps the reasoning of what is kept unchanged, signature and all', () => {
    const thought: AssistantPart = { type: 'reasoning', text: 'hm', provider: 'anthropic', attached: { signature: 'abc' } };
    const step: PromptMessage[] = [
      { role: 'assistant', content: [thought, { type: 'tool-call', callId: 'c', toolName: 'look', arguments: {} }] },
      gives({ c: 'x' }),
    ];
    const fitted = fitConversation(withSteps(openConversation({ system: 's', request: 'now', turns: turns(20) }), step), roomOf(1_000));
    expect(fitted.result).toBe('compacted');
    expect(promptOf(fitted.conversation).slice(-2)).toEqual(step);
    expect(fitted.conversation.summary).not.toContain('hm');
  });

  it('keeps pinned turns while there is room for them, in their place', () => {
    const pinned = turns(20).map((each, index) => ({ ...each, isPinned: index === 3 }));
    const { conversation } = fitConversation(openConversation({ system: 's', request: 'now', turns: pinned }), roomOf(1_000));
    expect(conversation.turns[0]?.id).toBe('t3');
    expect(conversation.summary).not.toContain('question t3 ');
    const all = turns(20).map((each) => ({ ...each, isPinned: true }));
    const tight = fitConversation(openConversation({ system: 's', request: 'now', turns: all }), roomOf(1_000));
    expect(tokensOf(tight.conversation, roomOf(1_000))).toBeLessThanOrEqual(1_000);
  });
});

describe('withModelSummary', () => {
  const room = roomOf(1_000);
  const compacted = fitConversation(openConversation({ system: 's', request: 'now', turns: turns(20) }), room).conversation;

  verifies(['H-08', 'K14'], 'takes no empty summary in the place of what was said', () => {
    for (const nothing of ['', '   \n']) expect(withModelSummary(compacted, 'summary', nothing, room)).toBe(compacted);
  });

  verifies('H-09', 'is told to the model in short, as a message that asks for nothing', () => {
    const [, told, taken] = promptOf(withModelSummary(compacted, 'summary', 'Ada prefers tea.', room));
    expect(told).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/kept as key points[^]*Ada prefers tea\.[^]*Go on from there\.$/),
    });
    expect(taken?.role).toBe('assistant');
  });

  it('cuts one that is too long', () => {
    const long = withModelSummary(compacted, 'summary', 'much '.repeat(5_000), room);
    expect(tokensOf(long, room)).toBeLessThanOrEqual(1_000);
    expect(long.summary).toMatch(/^much much/);
  });
});

verifies(
  ['H-05', 'H-08', 'K13', 'K14'],
  'holds for random histories: within the limit, pairs whole, system first, request word for word, accepted order, nothing lost',
  () => {
    fc.assert(
      fc.property(randomHistory, ({ system, request, history, steps, limit, pins, modelSummary }) => {
        const room = roomOf(limit, 20);
        let conversation = openConversation({
          system,
          request,
          turns: history.map((messages, index) => ({ id: `t${index}`, messages, isPinned: pins.includes(index) })),
        });
        const all = new Set(conversation.turns.map(({ id }) => id));
        const gone = new Set<string>();
        // As a run does: before each call the conversation is brought within its room, and goes on from there.
        for (let taken = 0; taken <= steps.length; taken += 1) {
          conversation = { ...conversation, steps: [...conversation.steps, ...withSteps(conversation, steps[taken - 1] ?? []).steps] };
          const isFirst = taken === 0;
          let fitted: ReturnType<typeof fitConversation>;
          try {
            fitted = fitConversation(conversation, room);
          } catch (error) {
            // Only what must always be sent can be too much, and then nothing was taken in at all.
            expect(error).toMatchObject({ code: 'message_too_large' });
            expect(isFirst).toBe(true);
            return;
          }
          if (fitted.result === 'compacted') for (const { id } of fitted.dropped.turns) gone.add(id);
          conversation = modelSummary === null ? fitted.conversation : withModelSummary(fitted.conversation, 'summary', modelSummary, room);
          const prompt = promptOf(conversation);
          const kept = conversation.turns.map(({ id }) => id);
          const first = prompt[0];
          const last = prompt.findLast(({ role }) => role === 'user');
          // One comparison: expectations by the million are most of the time this takes.
          expect([
            tokensOf(conversation, room) <= limit,
            first?.role === 'system' && first.content === system,
            last?.role === 'user' && last.content === request,
            kept.every((id) => !gone.has(id)) && kept.length + gone.size === all.size,
            findFault(prompt),
          ]).toEqual([true, true, true, true, null]);
        }
      }),
      { numRuns: HISTORIES },
    );
  },
  7_200_000,
);

const text = fc.oneof(
  fc.lorem({ maxCount: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '你好，世界。'.repeat(20),
    '안녕하세요 '.repeat(12),
    '{"a":[1,2,{"b":null}]}'.repeat(8),
    '🎉👍🏽🤦🏼‍♂️'.repeat(9),
    '',
    ' ',
    'x'.repeat(3_000),
  ),
);
const callId = fc.constantFrom('a', 'b', 'c', 'd');
const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  text.map((said): AssistantPart => ({ type: 'text', text: said })),
  fc.tuple(callId, text).map(([id, at]): AssistantPart => ({ type: 'tool-call', callId: id, toolName: 'look', arguments: { at } })),
  text.map((said): AssistantPart => ({ type: 'reasoning', text: said, provider: 'anthropic', attached: { signature: 's' } })),
);
const withoutRepeatedCalls = (content: readonly AssistantPart[]) =>
  content.filter(
    (part, index) =>
      part.type !== 'tool-call' || content.findIndex((other) => other.type === 'tool-call' && other.callId === part.callId) === index,
  );
const toolResult: fc.Arbitrary<ToolResultPart> = fc.record({ callId, toolName: fc.constant('look'), text, isError: fc.boolean() });
const said = fc.oneof(
  fc
    .array(assistantPart, { maxLength: 5 })
    .map((content): PromptMessage => ({ role: 'assistant', content: withoutRepeatedCalls(content) })),
  fc.array(toolResult, { maxLength: 5 }).map((results): PromptMessage => ({ role: 'tool', results })),
);
const anything = fc.oneof(text.map(user), said);
const randomHistory = fc.record({
  system: text,
  request: text.filter((words) => words.trim() !== ''),
  history: fc.array(fc.array(anything, { maxLength: 6 }), { maxLength: 50 }),
  steps: fc.array(fc.array(said, { maxLength: 4 }), { maxLength: 6 }),
  limit: fc.integer({ min: 150, max: 6_000 }),
  pins: fc.array(fc.nat(50), { maxLength: 5 }),
  modelSummary: fc.option(text),
});

function expectWhole(prompt: readonly PromptMessage[]): void {
  expect(findFault(prompt)).toBeNull();
}

const NEXT = { system: ['user'], user: ['assistant', 'end'], assistant: ['user', 'tool', 'end'], tool: ['assistant', 'end'] };

/** Each call has exactly its results behind it, and the roles stand in an order that every provider accepts; null when so. */
function findFault(prompt: readonly PromptMessage[]): string | null {
  for (const [index, message] of prompt.entries()) {
    const next = prompt[index + 1];
    if (!NEXT[message.role].includes(next?.role ?? 'end')) return `${next?.role ?? 'the end'} follows ${message.role} at ${index}`;
    if (message.role === 'user' && message.content.trim() === '') return `nothing is said at ${index}`;
    if (message.role !== 'assistant') continue;
    const asked = message.content.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []));
    const answered = next?.role === 'tool' ? next.results.map((result) => result.callId) : [];
    if (asked.join() !== answered.join()) return `asked for ${asked.join()} at ${index} and got ${answered.join()}`;
  }
  return null;
}
