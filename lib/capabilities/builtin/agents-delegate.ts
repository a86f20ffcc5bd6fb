import { AppError, type Json } from '#lib/kernel/index.ts';
import { CallMustWait } from '../domain/call-must-wait.ts';
import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import type { HandedTask, TaskRunner } from './ports.ts';

/** Tasks of one call. */
const TASKS_A_CALL = 8;

export const agentsDelegateMetadata: CapabilityMetadata = {
  id: 'agents.delegate',
  version: '1.0.0',
  status: 'active',
  protocol: 'AGENT',
  domain: 'agents',
  title: { en: 'Hand on tasks', 'zh-CN': '分派任务' },
  description: {
    en: 'Has tasks worked on beside each other, each by a run of its own that may use what you may, and returns all their answers. A task sees nothing but its own text.',
    'zh-CN': '让多项任务同时进行，每项任务都是一次独立的运行，可使用你能使用的能力，最后返回全部答案。任务只看得到自己的文字。',
  },
  keywords: ['hand on tasks', 'tasks in parallel', '分派任务', '并行任务'],
  examples: [
    { en: 'Hand on tasks: what is 17% of 2,340; what time is it in Tokyo', 'zh-CN': '分派任务：2340 的 17% 是多少；东京现在几点' },
    {
      en: 'Run tasks in parallel: when does the library open; convert 5 miles to km',
      'zh-CN': '并行任务：图书馆几点开门；5 英里是多少公里',
    },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      tasks: {
        type: 'array',
        minItems: 1,
        maxItems: TASKS_A_CALL,
        items: { type: 'string', minLength: 1, maxLength: 8_000 },
        description: 'The tasks, each with everything that is needed for it.',
        'x-source': 'text',
        'x-ask': { en: 'Which tasks should be handed on?', 'zh-CN': '要分派哪些任务？' },
      },
    },
    required: ['tasks'],
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke', 'conversation:write'],
  // What a task does is asked about in the task's own run. Content of others must not have tasks begun unasked all the same.
  sideEffect: 'write',
  idempotency: 'keyed',
  timeoutMs: 30_000,
};

/** Hands tasks on, and gives what came of them once the last has ended (requirement H-36). */
export function createAgentsDelegate({ tasks: runner }: { tasks: TaskRunner }): Capability {
  return {
    metadata: agentsDelegateMetadata,
    handler: async (args, { scope, runId, invocationId, locale }) => {
      const tasks = (args['tasks'] as readonly Json[]).map((task) => (typeof task === 'string' ? task.trim() : ''));
      if (tasks.some((task) => task === '')) throw new AppError({ code: 'invalid_arguments', message: 'A task must say something.' });
      const handed = await runner.handOn({ scope, runId, invocationId, tasks });
      const open = handed.filter(({ outcome }) => outcome === null).length;
      if (open > 0) throw new CallMustWait(`${open} of ${handed.length} tasks are at work`);
      return {
        output: { tasks: handed.map(({ runId: id, sessionId, task, outcome }) => ({ runId: id, sessionId, task, ...outcome })) },
        text: handed.map((task) => wordTask(task, locale)).join('\n\n'),
      };
    },
  };
}

/** Of a task's first line, in the heading of its answer. */
const HEADING = 200;

function wordTask({ task, outcome }: HandedTask, locale: 'en' | 'zh-CN'): string {
  const heading = [...(task.split('\n', 1)[0] ?? '')].slice(0, HEADING).join('');
  // Why a task has no answer, or not the whole of it, stands in what its run said.
  return `**${heading}**\n\n${outcome?.state === 'FINISH_OK' ? '' : '⚠ '}${outcome?.answer.trim() || SAID_NOTHING[locale]}`;
}

const SAID_NOTHING = { en: 'This task was stopped before it began.', 'zh-CN': '此任务在开始之前就已停止。' } as const;
