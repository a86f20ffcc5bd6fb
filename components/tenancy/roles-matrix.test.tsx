import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { ME, WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { RoleView } from '#lib/tenancy/contract.ts';
import { RolesMatrix } from './roles-matrix.tsx';

const ROLES: RoleView[] = [
  { id: 'rol_1', key: 'owner', name: 'Owner', isBuiltIn: true, permissions: ['tenant:read', 'run:read', 'run:audit'], memberCount: 1 },
  { id: 'rol_2', key: 'clerk-1', name: 'Clerk', isBuiltIn: false, permissions: ['tenant:read', 'run:read'], memberCount: 2 },
];
const me = { ...ME, permissions: ['tenant:read', 'role:read', 'role:manage', 'member:read', 'run:read', 'run:audit'] };

afterEach(cleanup);

/** By what stands in it: asking the whole table for its roles takes seconds in jsdom. */
function rowOf(permission: string): HTMLElement {
  const row = screen.getByText(permission).closest('tr');
  if (!row) throw new Error(`no row of ${permission}`);
  return row;
}

const cell = (permission: string) => screen.getByLabelText<HTMLInputElement>(`Clerk: ${permission}`);

function open(canManage = true) {
  return render(
    <WorkspaceFrame me={me} path="/acme/settings/roles">
      <RolesMatrix roles={ROLES} canManage={canManage} />
    </WorkspaceFrame>,
  );
}

describe('RolesMatrix', () => {
  it('offers nothing to change to who may only read, and no built-in role to anyone', () => {
    open(false);
    expect(screen.queryAllByRole('button')).toEqual([]);
    cleanup();
    open();
    expect(screen.queryByLabelText('Edit the role Owner')).toBeNull();
    expect(screen.queryByLabelText('Delete the role Owner')).toBeNull();
    expect(screen.getByLabelText('Duplicate the role Owner')).toBeDefined();
  });

  it('marks what would change before it is saved, gives nothing above one’s own, and saves the whole role', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    open();
    fireEvent.click(screen.getByLabelText('Edit the role Clerk'));
    expect(cell('Delete the workspace').disabled).toBe(true);
    fireEvent.click(cell("Read everyone's runs"));
    fireEvent.click(cell("Read one's own runs"));
    expect(within(rowOf('run:audit')).getByText('+')).toBeDefined();
    expect(within(rowOf('run:audit')).getByText('added')).toBeDefined();
    expect(within(rowOf('run:read')).getByText('taken away')).toBeDefined();
    expect(screen.getByText('1 added, 1 taken away')).toBeDefined();
    expect(screen.getByText('It changes what 2 people may do.')).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.click(screen.getByText('Save'));
    await waitFor(() =>
      expect(asked).toMatchObject([
        { method: 'PATCH', path: '/api/t/acme/roles/rol_2', body: { name: 'Clerk', permissions: ['tenant:read', 'run:audit'] } },
      ]),
    );
    await waitFor(() => expect(screen.queryByText('Save')).toBeNull());
  });

  it('says who has a role instead of deleting it', async () => {
    const member = {
      userId: 'usr_2',
      email: 'bo@acme.test',
      name: 'Bo',
      role: ROLES[1],
      joinedAt: '2026-01-01T00:00:00Z',
      disabledAt: null,
    };
    const { asked } = await startApiServer((_request, response) => answerJson(response, { items: [member], nextCursor: null }));
    open();
    fireEvent.click(screen.getByLabelText('Delete the role Clerk'));
    expect(await screen.findByText('bo@acme.test')).toBeDefined();
    expect(screen.getByText('and one more')).toBeDefined();
    expect(screen.queryByText('Delete')).toBeNull();
    expect(asked).toMatchObject([{ method: 'GET', path: '/api/t/acme/members?role=clerk-1&limit=5' }]);
  });
});
