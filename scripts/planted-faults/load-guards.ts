import type { Guard } from './guard.ts';

const QUEUE = 'lib/durable/adapters/segment-queue.ts';
const QUEUE_TESTS = ['lib/durable/adapters/segment-queue.integration.test.ts'];

const TASKS = 'db/stores/task-gate.ts';
const TASK_TESTS = ['lib/supervisor/tasks.integration.test.ts'];

/** Load: who gets a place, how many there are, and what holds one. */
export const LOAD_GUARDS: readonly Guard[] = [
  {
    id: 'tenants-take-turns',
    guards: 'The flood of one tenant does not keep another waiting.',
    file: QUEUE,
    find: 'heads as (select workflow_uuid from waiting order by turn, created_at',
    replace: 'heads as (select workflow_uuid from waiting order by created_at',
    tests: QUEUE_TESTS,
    only: 'takes turns',
  },
  {
    id: 'work-counts-in-turns',
    guards: 'What a tenant has at work counts against its next turn.',
    file: QUEUE,
    find: 'coalesce(busy.segments, 0) + row_number()',
    replace: 'row_number()',
    tests: QUEUE_TESTS,
    only: 'takes turns',
  },
  {
    id: 'no-more-than-there-are-places',
    guards: 'No more segments are at work in a process than it has places, whoever claimed them.',
    file: 'lib/durable/adapters/active-places.ts',
    find: 'return places < 1 || taken < places;',
    replace: 'return true;',
    tests: ['lib/durable/adapters/active-places.test.ts'],
  },
  {
    id: 'place-of-others',
    guards: 'Where a run stands in the line is told to whoever may see the run.',
    file: 'lib/supervisor/read-queue-place.ts',
    find: "if (owner === null || (owner !== actor.scope.userId && !hasPermission(actor, 'run:audit')))",
    replace: 'if (owner === null)',
    tests: ['lib/supervisor/read-queue-place.test.ts'],
  },
  {
    id: 'run-that-is-stopped-hands-on',
    guards: 'A run that is being stopped hands on nothing any more.',
    file: TASKS,
    find: ' || run.cancelRequestedAt)',
    replace: ')',
    tests: TASK_TESTS,
    only: 'hands on nothing',
  },
  {
    id: 'tasks-of-tasks',
    guards: 'A task hands on no tasks of its own.',
    file: TASKS,
    find: 'if (run.parentRunId !== null) throw',
    replace: 'if (run.parentRunId === run.id) throw',
    tests: TASK_TESTS,
    only: 'hands on nothing',
  },
  {
    id: 'tasks-started-once',
    guards: 'The tasks of a call are started once, however often it is made.',
    file: TASKS,
    find: 'if (started.length > 0) return { tasks: started, isNew: false };',
    replace: '',
    tests: TASK_TESTS,
    only: 'starts no task twice',
  },
  {
    id: 'answers-before-its-tasks',
    guards: 'A run waits until the last of its tasks has ended.',
    file: 'lib/capabilities/builtin/agents-delegate.ts',
    find: 'if (open > 0) throw new CallMustWait',
    replace: 'if (open > handed.length) throw new CallMustWait',
    tests: TASK_TESTS,
    only: 'gathers what they came to',
  },
  {
    id: 'session-behind-tasks',
    guards: 'What a session is asked while a run of it waits for tasks comes after that run.',
    file: 'db/stores/run-journal.ts',
    find: "and not exists (select from run earlier where ${waitsForTasks(tx, 'run')})",
    replace: '',
    tests: TASK_TESTS,
    only: 'keeps what its session is asked',
  },
  {
    id: 'tasks-end-with-their-run',
    guards: 'Tasks of a run that has ended without them are stopped, whoever was to tell them.',
    file: 'lib/supervisor/run-tasks.ts',
    find: 'for (const owner of await leftTasks.listEndedWithTasks(100)) await stopTasks(dependencies, owner);',
    replace: '',
    tests: TASK_TESTS,
    only: 'when it ends without them',
  },
  {
    id: 'tasks-have-budgets-of-their-own',
    guards: 'What a task uses counts against the budget of the chat that it was asked in.',
    file: 'lib/supervisor/run-budget.ts',
    find: 'rootSessionId: sessionId,',
    replace: 'sessionId,',
    tests: TASK_TESTS,
    only: 'cover its tasks',
  },
];
