import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/kernel/index.ts';
import { type CompletedStage, definePipeline, type PipelineHost } from './pipeline.ts';

interface State {
  input: string;
  words: readonly string[];
  isShort: boolean;
  said: string;
}

const title = { en: 'Stage', 'zh-CN': '阶段' };
const report = (summary: string) => ({ summary, reasons: [] });

const pipeline = definePipeline<State>({
  name: 'words',
  channels: { input: 'replace', words: 'append', isShort: 'replace', said: 'replace' },
  begin: (input) => ({ input, words: [], isShort: false, said: '' }),
  stages: [
    {
      id: 'read',
      title,
      run: async ({ input }) => ({ state: { isShort: input.length < 3 }, report: { ...report('read'), intent: 'task', confidence: 0.9 } }),
      next: ({ isShort }) => (isShort ? 'say' : null),
    },
    {
      id: 'fetch',
      title,
      async run({ input }, { call }) {
        const asked = await Promise.all(['a', 'b'].map((id) => call({ capabilityId: id, arguments: { input }, rationale: `for ${id}` })));
        return {
          state: { words: asked.map((result) => (result.status === 'succeeded' ? result.text : result.message)) },
          report: report('fetched'),
        };
      },
    },
    {
      id: 'say',
      title,
      async run({ words }, { call }) {
        const text = words.join(' ') || 'short';
        await call({ capabilityId: 'echo', arguments: { text }, rationale: 'says it', isAnswer: true });
        return { state: { said: text }, report: report('said') };
      },
    },
  ],
});

function host(records = new Map<string, JsonObject>()) {
  const paths: string[] = [];
  const stages: CompletedStage[] = [];
  const made: PipelineHost = {
    locale: 'en',
    timeZone: 'UTC',
    now: new Date(0),
    mayCall: () => true,
    async call({ capabilityId }, path) {
      paths.push(path);
      return capabilityId === 'b'
        ? { status: 'refused', code: 'permission_denied', message: 'no' }
        : { status: 'succeeded', output: {}, text: capabilityId };
    },
    find: (path) => records.get(path),
    async record(path, output, stage) {
      records.set(path, output);
      stages.push(stage);
    },
  };
  return { host: made, paths, stages, records };
}

describe('definePipeline', () => {
  const signal = new AbortController().signal;

  it('runs its stages in order, each a record with its report and its calls', async () => {
    const { host: one, paths, stages, records } = host();
    await pipeline.run({ input: 'long enough', host: one, signal });
    expect(paths).toEqual(['words/fetch/0', 'words/fetch/1', 'words/say/0']);
    expect(stages.map(({ id, report, calls }) => [id, report.summary, calls.map(({ rationale }) => rationale)])).toEqual([
      ['read', 'read', []],
      ['fetch', 'fetched', ['for a', 'for b']],
      ['say', 'said', ['says it']],
    ]);
    expect(records.get('words/say')).toEqual({ said: 'a no' });
  });

  it('goes where a stage says', async () => {
    const { host: one, stages } = host();
    await pipeline.run({ input: 'no', host: one, signal });
    expect(stages.map(({ id }) => id)).toEqual(['read', 'say']);
  });

  it('does not run a stage again that has a record', async () => {
    const {
      host: one,
      paths,
      stages,
    } = host(
      new Map<string, JsonObject>([
        ['words/read', { isShort: false }],
        ['words/fetch', { words: ['kept'] }],
      ]),
    );
    await pipeline.run({ input: 'long enough', host: one, signal });
    expect(paths).toEqual(['words/say/0']);
    expect(stages.map(({ id }) => id)).toEqual(['say']);
  });
});
