import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from './permission.ts';
import { BUILT_IN_ROLE_PERMISSIONS, BUILT_IN_ROLES } from './role.ts';
import { rolesThatGrant } from './roles-that-grant.ts';

const ROLES = BUILT_IN_ROLES.map((key) => ({ key, name: key, permissions: BUILT_IN_ROLE_PERMISSIONS[key] }));
const roleOf = (key: string) => ROLES.find((role) => role.key === key) ?? { key, name: key, permissions: [] };
const keysFor = (permission: (typeof PERMISSIONS)[number], current: string, giver: 'owner' | 'admin' = 'owner') =>
  rolesThatGrant(permission, { roles: ROLES, current: roleOf(current), giver: new Set(BUILT_IN_ROLE_PERMISSIONS[giver]) });

describe('rolesThatGrant', () => {
  it('offers the role that gives the least besides first', () => {
    expect(keysFor('knowledge:write', 'member').map(({ key }) => key)).toEqual(['builder', 'admin', 'owner']);
  });
  it('puts roles that take something away behind those that do not', () => {
    const [first, ...rest] = keysFor('conversation:write', 'auditor');
    expect(first).toMatchObject({ key: 'admin', loses: [] });
    expect(rest.find(({ key }) => key === 'member')?.loses).toContain('run:audit');
  });
  it('offers no role with a right that the giver lacks', () => {
    expect(keysFor('knowledge:write', 'member', 'admin').map(({ key }) => key)).toEqual(['builder', 'admin']);
    expect(keysFor('tenant:delete', 'member', 'admin')).toEqual([]);
  });
  it('names what is gained, and nothing where the role is theirs already', () => {
    const [own] = keysFor('run:audit', 'builder');
    expect(own).toEqual({ key: 'builder', name: 'builder', gains: [], loses: [] });
    expect(keysFor('run:audit', 'member')[0]?.gains).toContain('run:audit');
  });
});
