import type { Permission } from '#lib/tenancy/index.ts';

/**
 * What a program may do for a person at most: call what they may call. It can read no record, change no setting and hand on
 * nothing. What the person's role grants at the time of use counts besides.
 */
export const PROGRAM_PERMISSIONS: readonly Permission[] = [
  'capability:invoke',
  'capability:read',
  'conversation:write',
  'knowledge:read',
  'knowledge:write',
  'member:read',
  'memory:read',
  'memory:write',
  'run:read',
];
