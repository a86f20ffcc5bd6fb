import { jsonrepair } from 'jsonrepair';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { AppError, systemClock } from '#lib/kernel/index.ts';
import { type LanguageModel, ModelError, type ModelErrorKind, type ModelPart, type ModelRequest } from '#lib/models/index.ts';
import type { AgentDefinition } from './domain/agent.ts';
import type { ModelCall, ModelResponse } from './ports.ts';
import { type AgentTurn, runAgent } from './react-agent.ts';

/** One call of the model: what it says, and then perhaps how it fails. */
type Said = readonly (ModelPart | ModelErrorKind)[];

const text = (words: string): ModelPart => ({ type: 'text-delta', text: words });
const tool = (callId: string, toolName = 'look', argumentsText = '{}'): ModelPart => ({
  type: 'tool-call',
  callId,
  toolName,
  argumentsText,
});
const finish = (reason: 'stop' | 'tool-calls' = 'stop'): ModelPart => ({ type: 'finish', reason, rawReason: null, usage: null });

const DEFINITION: AgentDefinition = {
  id: 'agent',
  title: { en: 'Agent', 'zh-CN': '代理' },
  description: 'For tests.',
  instructions: 'Do.',
  tools: 'all',
  limits: { maxModelCalls: 3, maxToolCalls: 4 },
};

const called = (callId: string, at: string) => ({ type: 'tool-call', callId, toolName: 'look', arguments: { at } });
const saw = (callId: string, at: string) => ({ callId, toolName: 'look', text: `saw "${at}"`, isError: false });

/** A turn with a model that follows the script, and everything that came of it. */
function aTurn(script: readonly Said[], more: Partial<AgentTurn> & { known?: Record<string, ModelResponse> } = {}) {
  const recorded: ModelCall[] = [];
  const heard: string[] = [];
  const unknown: string[] = [];
  let calls = 0;
  const model: LanguageModel = {
    spec: { provider: 'compatible', model: 'scripted' },
    async *call() {
      const said = script[calls];
      calls += 1;
      if (!said) throw new Error('no call is left in the script');
      for (const part of said) {
        if (typeof part === 'string') throw new ModelError({ kind: part, message: part, retryAfterMs: 1 });
        yield part;
      }
    },
  };
  const turn: AgentTurn = {
    definition: DEFINITION,
    path: 'a',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ name: 'look', description: '', inputSchema: {}, run: async () => ({ text: 'seen', isError: false }) }],
    model,
    records: { find: (path) => more.known?.[path], record: (call) => void recorded.push(call) },
    voice: { text: (_call, delta) => void heard.push(delta), reasoning: () => undefined, restart: () => undefined },
    clock: systemClock,
    signal: AbortSignal.timeout(5_000),
    random: () => 0,
    repairJson: jsonrepair,
    onUnknownTool: async (name, path) => void unknown.push(`${path} ${name}`),
    ...more,
  };
  return { turn, recorded, heard, unknown, callsMade: () => calls };
}

describe('runAgent', () => {
  verifies('H-03', 'asks the model, runs the tools it names, shows it their results, and asks again until it answers', async () => {
    const ran: string[] = [];
    const { turn, recorded } = aTurn(
      [
        [text('Let me see.'), tool('1', 'look', '{"at":"a"}'), tool('2', 'look', '{"at":"b"}'), finish('tool-calls')],
        [tool('3', 'look', '{"at":"c"}'), finish('tool-calls')],
        [text('All seen.'), finish()],
      ],
      {
        tools: [
          {
            name: 'look',
            description: '',
            inputSchema: {},
            run: async ({ arguments: { at } }) => {
              ran.push(JSON.stringify(at));
              return { text: `saw ${JSON.stringify(at)}`, isError: false };
            },
          },
        ],
      },
    );
    expect(await runAgent(turn)).toEqual({ text: 'All seen.', finishReason: 'stop' });
    expect(ran).toEqual(['"a"', '"b"', '"c"']);
    const asked = { role: 'user', content: 'hi' };
    const first = [
      { role: 'assistant', content: [{ type: 'text', text: 'Let me see.' }, called('1', 'a'), called('2', 'b')] },
      { role: 'tool', results: [saw('1', 'a'), saw('2', 'b')] },
    ];
    const second = [
      { role: 'assistant', content: [called('3', 'c')] },
      { role: 'tool', results: [saw('3', 'c')] },
    ];
    expect(recorded.map(({ sent }) => sent)).toEqual([[asked], [asked, ...first], [asked, ...first, ...second]]);
  });

  verifies('K22', 'repeats a call that had said nothing, and none that had', async () => {
    const silent = aTurn([['overloaded'], ['rate-limited'], ['unreachable'], [text('Here.'), finish()]]);
    expect(await runAgent(silent.turn)).toEqual({ text: 'Here.', finishReason: 'stop' });
    expect(silent.recorded[0]).toMatchObject({ path: 'a/m0', attempts: 4 });
    for (const kind of ['overloaded', 'rate-limited', 'unreachable', 'cut-off'] as const) {
      const speaking = aTurn([
        [text('Half a'), kind],
        [text('Half an answer'), finish()],
      ]);
      await expect(runAgent(speaking.turn)).rejects.toMatchObject({ kind });
      expect([kind, speaking.callsMade(), speaking.heard]).toEqual([kind, 1, ['Half a']]);
    }
  });

  it('gives up after four attempts, and at once where another would not help', async () => {
    const away = aTurn(Array.from({ length: 6 }, () => ['unreachable'] as const));
    await expect(runAgent(away.turn)).rejects.toMatchObject({ kind: 'unreachable' });
    expect(away.callsMade()).toBe(4);
    for (const kind of ['unauthenticated', 'invalid-request', 'refused'] as const) {
      const refused = aTurn([[kind]]);
      await expect(runAgent(refused.turn)).rejects.toMatchObject({ kind });
      expect(refused.callsMade()).toBe(1);
    }
  });

  it('asks the next model when one fails before it has said anything, and says which has answered', async () => {
    const standby = aTurn([[text('From the second.'), finish()]]);
    for (const kind of ['unreachable', 'overloaded', 'rate-limited', 'unauthenticated'] as const) {
      const failing = aTurn([[kind], [kind]]);
      const second = aTurn([[text('From the second.'), finish()]]);
      expect((await runAgent({ ...failing.turn, fallbacks: [second.turn.model] })).text).toBe('From the second.');
      expect(failing.recorded).toMatchObject([{ path: 'a/m0', place: 1 }]);
      expect(failing.callsMade()).toBe(kind === 'unauthenticated' ? 1 : 2);
    }
    for (const said of [[['aborted']], [['invalid-request']], [['refused']], [[text('Half a'), 'unreachable']]] as const) {
      const failing = aTurn(said);
      await expect(runAgent({ ...failing.turn, fallbacks: [standby.turn.model] })).rejects.toBeInstanceOf(ModelError);
    }
    expect(standby.callsMade()).toBe(0);
  });

  verifies('P-08', 'makes no more model calls and no more tool calls than it may', async () => {
    const endless = aTurn(Array.from({ length: 9 }, (_, index) => [tool(`c${index}`), finish('tool-calls')]));
    await expect(runAgent(endless.turn)).rejects.toMatchObject({
      code: 'limit_reached',
      message: 'limit reached: agent may make 3 model calls in a run',
    });
    expect(endless.callsMade()).toBe(3);
    let ran = 0;
    const wide = aTurn([
      [tool('1'), tool('2'), tool('3'), finish('tool-calls')],
      [tool('4'), tool('5'), finish('tool-calls')],
    ]);
    const tools = [{ name: 'look', description: '', inputSchema: {}, run: async () => ({ text: String((ran += 1)), isError: false }) }];
    await expect(runAgent({ ...wide.turn, tools })).rejects.toMatchObject({
      message: 'limit reached: agent may make 4 tool calls in a run',
    });
    expect(ran).toBe(3);
  });

  verifies('P-11', 'goes on from what is recorded, and asks for the rest alone', async () => {
    const first = aTurn([
      [text('Let me see.'), tool('1'), finish('tool-calls')],
      [text('Done.'), finish()],
    ]);
    await runAgent(first.turn);
    const [opening, answer] = first.recorded.map(({ response }) => response);
    if (!opening || !answer) throw new Error('nothing was recorded');
    const half = aTurn([[text('Done.'), finish()]], { known: { 'a/m0': opening } });
    expect((await runAgent(half.turn)).text).toBe('Done.');
    expect(half.recorded.map(({ path }) => path)).toEqual(['a/m1']);
    const whole = aTurn([], { known: { 'a/m0': opening, 'a/m1': answer } });
    expect((await runAgent(whole.turn)).text).toBe('Done.');
    expect(whole.heard).toEqual([]);
  });

  verifies('K6', 'puts calls of tools that do not exist on record, and answers unreadable arguments', async () => {
    const odd = aTurn([
      [tool('1', 'lok'), tool('2', 'look', '[1]'), tool('3', '__proto__'), finish('tool-calls')],
      [text('Sorry.'), finish()],
    ]);
    expect((await runAgent(odd.turn)).text).toBe('Sorry.');
    expect(odd.unknown).toEqual(['a/m0/t0 lok', 'a/m0/t2 __proto__']);
  });
});

const allowing = (allowance: { maxOutputTokens: number | null; isConcise: boolean }) => ({ reserve: async () => allowance });

describe('a budget', () => {
  verifies('H-34', 'that cannot be asked lets no model be called', async () => {
    const away = new AppError({ code: 'unavailable', message: 'The database is away.' });
    const { turn, callsMade } = aTurn([[text('Never said.'), finish()]], { budget: { reserve: () => Promise.reject(away) } });
    await expect(runAgent(turn)).rejects.toBe(away);
    expect(callsMade()).toBe(0);
  });

  it('is asked once a call, whatever the attempts, and again for each model that stands by', async () => {
    const asked: [string, number][] = [];
    const budget = {
      reserve: async ({ path, place }: { path: string; place: number }) => {
        asked.push([path, place]);
        return { maxOutputTokens: null, isConcise: false };
      },
    };
    const next: LanguageModel = {
      spec: { provider: 'openai', model: 'next' },
      async *call() {
        yield text('Here.');
        yield finish();
      },
    };
    const { turn, recorded } = aTurn([['overloaded'], ['overloaded']], { budget, fallbacks: [next], firstPlace: 1 });
    await runAgent(turn);
    expect(asked).toEqual([
      ['a/m0', 1],
      ['a/m0', 2],
    ]);
    expect(recorded.map(({ place }) => place)).toEqual([2]);
  });

  it('keeps the answer short where it says so, and is heard in the instructions', async () => {
    const sent: ModelRequest[] = [];
    const model: LanguageModel = {
      spec: { provider: 'compatible', model: 'scripted' },
      async *call(request) {
        sent.push(request);
        yield text('Short.');
        yield finish();
      },
    };
    const messages = [
      { role: 'system', content: 'Do.' },
      { role: 'user', content: 'hi' },
    ] as const;
    await runAgent(aTurn([], { model, messages, budget: allowing({ maxOutputTokens: 700, isConcise: true }) }).turn);
    await runAgent(aTurn([], { model, messages, budget: allowing({ maxOutputTokens: null, isConcise: false }) }).turn);
    expect(sent[0]).toMatchObject({
      maxOutputTokens: 700,
      messages: [{ content: expect.stringMatching(/^Do\.\n\nAnswer as briefly/) }, messages[1]],
    });
    expect(sent[1]?.messages).toEqual(messages);
    expect(sent[1]).not.toHaveProperty('maxOutputTokens');
  });
});
