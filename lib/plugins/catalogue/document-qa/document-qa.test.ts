import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { handbookTenant } from '#e2e/planner/handbook.ts';
import { createKnowledgeSearch } from '#lib/capabilities/builtin/knowledge-search.ts';
import type { Permission } from '#lib/tenancy/index.ts';
import { benchPipeline } from '#lib/testing/pipeline-bench.ts';
import { citePassages } from './cite-passages.ts';
import { documentQaPipeline } from './pipeline.ts';
import { wordAnswer } from './word-answer.ts';

let tenant: Awaited<ReturnType<typeof handbookTenant>>;
beforeAll(async () => {
  tenant = await handbookTenant();
});

function ask(input: string, permissions: readonly Permission[] = ['capability:invoke', 'knowledge:read']) {
  const search = createKnowledgeSearch({
    passages: { search: ({ query, limit }) => tenant.search(query).then((found) => found.slice(0, limit)) },
  });
  return benchPipeline({
    pipeline: documentQaPipeline,
    input,
    capabilities: search.handler ? [{ metadata: search.metadata, handler: search.handler }] : [],
    permissions: new Set(permissions),
    locale: /\p{Script=Han}/u.test(input) ? 'zh-CN' : 'en',
    timeZone: 'UTC',
    now: new Date('2026-11-30T00:00:00Z'),
  });
}

describe('the pipeline of document Q&A', () => {
  it.each([
    ['When does the library close on Sundays?', '22:00', 'Library'],
    ['What documents do I need for a scholarship?', 'letter of recommendation', 'Scholarships'],
    ['晚上食堂营业到几点', '22:30', '食堂与餐饮'],
    ['图书馆最多能借几本书', '15 本', '图书馆'],
  ])('answers with a source: %s', async (question, fact, title) => {
    const { answer, stages } = await ask(question);
    expect(answer).toContain(fact);
    expect(answer).toMatch(/\[1\]/);
    expect(answer.slice(answer.lastIndexOf('\n1. '))).toContain(title);
    expect(stages.map(({ id }) => id)).toEqual(['search', 'evidence', 'answer']);
    expect(stages[1]?.report.confidence).toBeGreaterThan(0.3);
  });

  it('says so when the documents do not answer', async () => {
    expect((await ask('How many moons does Jupiter have?')).answer).toContain('do not answer');
    expect((await ask('木星有几颗卫星？')).answer).toContain('没有回答');
    expect((await ask('   ')).called).toEqual(['echo']);
  });

  it('tells a person without the right so, and shows nothing of the documents', async () => {
    const { answer } = await ask('When does the library close on Sundays?', ['capability:invoke']);
    expect(answer).toContain('knowledge:read');
    expect(answer).not.toContain('22:00');
  });
});

const bare = (words: string) => words.replace(/[\s·|*•>.)\d-]/g, '');

describe('citePassages', () => {
  const passage = fc.record({
    documentId: fc.uuid(),
    title: fc.string({ maxLength: 20 }),
    section: fc.string({ maxLength: 20 }),
    excerpt: fc.string({ maxLength: 200 }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  });

  it('changes no word, and every sentence has a source that is listed', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.array(passage, { maxLength: 6 }),
        fc.integer({ min: 1, max: 6 }),
        (question, passages, limit) => {
          const { sentences, sources, coverage } = citePassages(question, passages, limit);
          expect(sentences.length).toBeLessThanOrEqual(limit);
          expect(coverage).toBeLessThanOrEqual(1);
          for (const { text, source } of sentences) {
            const from = sources[source - 1]?.excerpt ?? 'no source';
            expect(bare(from)).toContain(bare(text));
          }
        },
      ),
    );
  });

  it('takes nothing in a document for formatting', () => {
    const cited = citePassages(
      'library hours',
      [
        {
          documentId: 'd',
          title: '[x](http://evil)',
          section: '',
          excerpt: 'The library hours are <b>long</b> [click](http://evil).',
          score: 1,
        },
      ],
      3,
    );
    const text = wordAnswer(cited, 'en');
    expect(text).not.toMatch(/(?<!\\)\]\(/);
    expect(text).not.toMatch(/(?<!\\)</);
  });
});
