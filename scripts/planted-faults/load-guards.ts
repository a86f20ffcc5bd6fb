import type { Guard } from './guard.ts';

const QUEUE = 'lib/durable/adapters/segment-queue.ts';
const QUEUE_TESTS = ['lib/durable/adapters/segment-queue.integration.test.ts'];

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
];
