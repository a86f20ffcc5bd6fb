import { definePipeline, type Pipeline } from '#lib/graph/index.ts';
import { readTasks, TASKS_A_MESSAGE } from './read-tasks.ts';

interface TasksState {
  readonly input: string;
  readonly tasks: readonly string[];
  /** Tasks beyond those that one message may hand on. */
  readonly left: number;
}

/** Divide -> Work: each task of a message is worked on by a run of its own, all beside each other. */
export const parallelTasksPipeline: Pipeline = definePipeline<TasksState>({
  name: 'parallel_tasks',
  channels: { input: 'replace', tasks: 'replace', left: 'replace' },
  begin: (input) => ({ input, tasks: [], left: 0 }),
  stages: [
    {
      id: 'divide',
      title: { en: 'Divide', 'zh-CN': '拆分' },
      async run({ input }, { locale }) {
        const read = readTasks(input);
        const tasks = read.slice(0, TASKS_A_MESSAGE);
        const left = read.length - tasks.length;
        return {
          state: { tasks, left },
          report: {
            summary: locale === 'en' ? `${tasks.length} tasks` : `${tasks.length} 项任务`,
            intent: tasks.length === 0 ? 'clarify' : 'task',
            confidence: tasks.length > 1 ? 0.95 : 0.6,
            reasons: left > 0 ? [SAYS[locale].left(left)] : [],
          },
        };
      },
    },
    {
      id: 'work',
      title: { en: 'Work', 'zh-CN': '执行' },
      async run({ tasks, left }, { call, locale, mayCall }) {
        const say = SAYS[locale];
        const tell = (text: string) => call({ capabilityId: 'echo', arguments: { text }, rationale: 'says so', isAnswer: true });
        if (tasks.length === 0 || !mayCall('agents.delegate')) {
          await tell(tasks.length === 0 ? say.none : say.forbidden);
          return { state: {}, report: { summary: '0', reasons: [] } };
        }
        const worked = await call({
          capabilityId: 'agents.delegate',
          arguments: { tasks: [...tasks] },
          rationale: say.rationale(tasks.length),
          isAnswer: true,
        });
        if (worked.status === 'succeeded' && left > 0) await tell(`_${say.left(left)}_`);
        return {
          state: {},
          report: { summary: worked.status === 'succeeded' ? say.done(tasks.length) : worked.message, reasons: [] },
        };
      },
    },
  ],
});

const SAYS = {
  en: {
    rationale: (count: number) => `${count} tasks, each in a run of its own`,
    done: (count: number) => `${count} tasks have ended`,
    left: (count: number) => `${count} more were left out: a message may hand on ${TASKS_A_MESSAGE} tasks.`,
    none: 'Write one task a line. Each is worked on by itself, all at the same time.',
    forbidden: 'Your role may not hand on tasks.',
  },
  'zh-CN': {
    rationale: (count: number) => `${count} 项任务，各自独立运行`,
    done: (count: number) => `${count} 项任务已结束`,
    left: (count: number) => `另有 ${count} 项未处理：一条消息最多分派 ${TASKS_A_MESSAGE} 项任务。`,
    none: '每行写一项任务。各项任务独立进行，同时执行。',
    forbidden: '你的角色不能分派任务。',
  },
} as const;
