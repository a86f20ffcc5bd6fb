import { PERMISSIONS, type Permission } from './permission.ts';

/** The roles that every tenant has; they cannot be edited or removed. */
export const BUILT_IN_ROLES = ['owner', 'admin', 'builder', 'auditor', 'member'] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

const CHAT: readonly Permission[] = [
  'tenant:read',
  'conversation:read',
  'conversation:write',
  'run:read',
  'capability:read',
  'capability:invoke',
  'knowledge:read',
  'memory:read',
  'memory:write',
  'plugin:read',
  'plugin:request',
];

/** The rights of the built-in roles (the table of `docs/roles.md`). */
export const BUILT_IN_ROLE_PERMISSIONS: { readonly [Role in BuiltInRole]: readonly Permission[] } = {
  owner: PERMISSIONS,
  admin: PERMISSIONS.filter((permission) => permission !== 'tenant:delete'),
  builder: [...CHAT, 'run:audit', 'knowledge:write', 'build:read', 'build:write', 'mcp:read', 'model:read', 'metrics:read', 'role:read'],
  auditor: [
    'tenant:read',
    'member:read',
    'role:read',
    'run:read',
    'run:audit',
    'run:reveal',
    'capability:read',
    'knowledge:read',
    'plugin:read',
    'build:read',
    'mcp:read',
    'model:read',
    'budget:read',
    'audit:read',
    'audit:export',
    'metrics:read',
  ],
  member: CHAT,
};
