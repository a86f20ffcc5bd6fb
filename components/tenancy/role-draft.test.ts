import { describe, expect, it } from 'vitest';
import { permissionName, type RoleView } from '#lib/tenancy/contract.ts';
import { compareRights, PERMISSION_GROUPS } from './permission-groups.ts';
import { changesOf, draftOf, toggled } from './role-draft.ts';

const CLERK: RoleView = {
  id: 'rol_1',
  key: 'clerk',
  name: 'Clerk',
  isBuiltIn: false,
  permissions: ['tenant:read', 'run:read'],
  memberCount: 2,
};

describe('a role being edited', () => {
  it('tells what saving would add, take away and rename', () => {
    const draft = toggled(toggled({ ...draftOf(CLERK), name: ' Clerks ' }, 'run:audit'), 'run:read');
    expect(changesOf(draft, CLERK)).toEqual({ added: ['run:audit'], removed: ['run:read'], isRenamed: true });
  });

  it('has changed nothing when a permission was given and taken again', () => {
    const draft = toggled(toggled(draftOf(CLERK), 'run:audit'), 'run:audit');
    expect(changesOf(draft, CLERK)).toEqual({ added: [], removed: [], isRenamed: false });
  });
});

describe('permissions', () => {
  it('are all in one group each, by their noun', () => {
    expect(PERMISSION_GROUPS.flatMap(({ permissions }) => permissions).sort()).toEqual([...permissionName.options].sort());
    expect(PERMISSION_GROUPS.find(({ noun }) => noun === 'api-key')?.permissions).toEqual(['api-key:manage']);
  });

  it('are compared both ways', () => {
    expect(compareRights(['tenant:read', 'run:read'], ['run:read', 'run:audit'])).toEqual({ gains: ['run:audit'], loses: ['tenant:read'] });
  });
});
