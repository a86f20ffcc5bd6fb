import { describe, expect, it } from 'vitest';
import { agentsDelegateMetadata, createAgentsDelegate } from '#lib/capabilities/index.ts';
import { BUILT_IN_ROLE_PERMISSIONS, type Permission } from '#lib/tenancy/index.ts';
import { benchPipeline } from '#lib/testing/pipeline-bench.ts';
import { parallelTasksPipeline } from './pipeline.ts';
import { readTasks } from './read-tasks.ts';

describe('readTasks', () => {
  it.each([
    ['a line each', '2+3\nthe time in Tokyo', ['2+3', 'the time in Tokyo']],
    ['without their marks', '- one\n* two\n3. three\n(4) four\n⑤ five\n六、六', ['one', 'two', 'three', 'four', 'five', '六']],
    ['after a line that leads to them', 'Please do these:\n1) one\n2) two', ['one', 'two']],
    ['between semicolons on a single line', '2+3; echo "a; b"；今天几号', ['2+3', 'echo "a; b"', '今天几号']],
    ['a single one', 'what is 2+3?', ['what is 2+3?']],
    ['none', ' \n - \n', []],
  ])('%s', (_name, message, tasks) => {
    expect(readTasks(message)).toEqual(tasks);
  });

  it('takes a number that belongs to a task for part of it', () => {
    expect(readTasks('3.5 km in miles\n20% of 50')).toEqual(['3.5 km in miles', '20% of 50']);
  });
});

describe('the pipeline', () => {
  const delegate = createAgentsDelegate({
    tasks: {
      handOn: async ({ tasks }) =>
        tasks.map((task, index) => ({
          runId: `run_${index}`,
          sessionId: `ses_${index}`,
          task,
          outcome: { state: 'FINISH_OK', answer: `answer to ${task}`, error: null },
        })),
    },
  });
  const work = (input: string, permissions: ReadonlySet<Permission> = new Set(BUILT_IN_ROLE_PERMISSIONS.member)) =>
    benchPipeline({
      pipeline: parallelTasksPipeline,
      input,
      capabilities: delegate.handler ? [{ metadata: agentsDelegateMetadata, handler: delegate.handler }] : [],
      permissions,
      locale: /\p{Script=Han}/u.test(input) ? 'zh-CN' : 'en',
      timeZone: 'UTC',
      now: new Date('2026-11-30T12:00:00Z'),
    });

  it('hands each line on and gathers the answers in their order', async () => {
    const { answer, called, stages } = await work('one\ntwo');
    expect(answer).toBe('**one**\n\nanswer to one\n\n**two**\n\nanswer to two');
    expect(called).toEqual(['agents.delegate']);
    expect(stages.map(({ report }) => report.summary)).toEqual(['2 tasks', '2 tasks have ended']);
  });

  it('says what it left out', async () => {
    const { answer } = await work(Array.from({ length: 10 }, (_, index) => `任务 ${index + 1}`).join('\n'));
    expect(answer).toContain('**任务 8**');
    expect(answer).not.toContain('**任务 9**');
    expect(answer).toContain('另有 2 项未处理');
  });

  it('says how to ask where there is nothing to do, and hands on nothing that a role may not', async () => {
    expect((await work('-')).answer).toBe('Write one task a line. Each is worked on by itself, all at the same time.');
    const { answer, called } = await work('one\ntwo', new Set(['capability:invoke']));
    expect(answer).toBe('Your role may not hand on tasks.');
    expect(called).toEqual(['echo']);
  });
});
