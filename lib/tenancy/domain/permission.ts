/**
 * What a role may do, as `noun:verb`. A custom role is any set of these; a capability names those it requires.
 * `run:read` and `conversation:*` reach one's own things, `run:audit` everyone's.
 */
export const PERMISSIONS = [
  'tenant:read',
  'tenant:update',
  'tenant:delete',
  'member:read',
  'member:manage',
  'role:read',
  'role:manage',
  'api-key:manage',
  'conversation:read',
  'conversation:write',
  'run:read',
  'run:audit',
  'run:reveal',
  'capability:read',
  'capability:invoke',
  'approval:decide',
  'approval:manage',
  'knowledge:read',
  'knowledge:write',
  'memory:read',
  'memory:write',
  'plugin:read',
  'plugin:request',
  'plugin:install',
  'build:read',
  'build:write',
  'mcp:read',
  'mcp:manage',
  'model:read',
  'model:manage',
  'budget:read',
  'budget:manage',
  'audit:read',
  'audit:export',
  'metrics:read',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}
