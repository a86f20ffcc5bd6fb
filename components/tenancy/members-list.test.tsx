import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startApiServer } from '#components/testing/api-server.ts';
import { ME, WorkspaceFrame } from '#components/testing/workspace-frame.tsx';
import type { MemberView, RoleView } from '#lib/tenancy/contract.ts';
import { MembersList } from './members-list.tsx';

const ROLES: RoleView[] = [
  { id: 'rol_1', key: 'owner', name: 'Owner', isBuiltIn: true, permissions: ['run:read', 'run:audit', 'tenant:delete'], memberCount: 1 },
  { id: 'rol_2', key: 'auditor', name: 'Auditor', isBuiltIn: true, permissions: ['run:read', 'run:audit'], memberCount: 0 },
  { id: 'rol_3', key: 'member', name: 'Member', isBuiltIn: true, permissions: ['run:read', 'memory:read'], memberCount: 1 },
];
const BO: MemberView = {
  userId: 'usr_2',
  email: 'bo@acme.test',
  name: 'Bo',
  role: { id: 'rol_3', key: 'member', name: 'Member' },
  joinedAt: '2026-01-01T00:00:00Z',
  disabledAt: null,
};
const me = { ...ME, permissions: ['member:read', 'member:manage', 'run:read', 'run:audit', 'memory:read'] };

afterEach(cleanup);

function open(members: MemberView[], canManage = true) {
  return render(
    <WorkspaceFrame me={me} path="/acme/settings/members">
      <MembersList page={{ items: members, nextCursor: null }} roles={ROLES} filters={{}} canManage={canManage} />
    </WorkspaceFrame>,
  );
}

describe('MembersList', () => {
  it('offers nothing to change to who may only read', () => {
    open([BO], false);
    expect(screen.queryAllByRole('button')).toEqual([]);
    expect(screen.getByText('bo@acme.test')).toBeDefined();
  });

  it('says what a change of role gives and takes, offers none above one’s own, and then changes it', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    open([BO]);
    fireEvent.click(screen.getByRole('button', { name: 'Change role of Bo' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /Owner/ }).disabled).toBe(true);
    fireEvent.click(dialog.getByRole('radio', { name: 'Auditor' }));
    expect(dialog.getByText('+run:audit')).toBeDefined();
    expect(dialog.getByText('−memory:read')).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Give this role' }));
    await waitFor(() =>
      expect(asked).toMatchObject([{ method: 'PATCH', path: '/api/t/acme/members/usr_2', body: { roleKey: 'auditor' } }]),
    );
    expect(await screen.findByText('Bo is Auditor now.')).toBeDefined();
  });

  it('stays and says why when the last owner would be lost', async () => {
    await startApiServer((_request, response) =>
      answerJson(response, { code: 'last_owner', message: 'This is the last owner. Make someone else an owner first.', traceId: 't' }, 409),
    );
    open([BO]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove Bo' }));
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('A workspace would be left without an owner: this is its last one.')).toBeDefined();
  });

  it('lets somebody in again with one press', async () => {
    const { asked } = await startApiServer((_request, response) => answerJson(response, {}));
    open([{ ...BO, disabledAt: '2026-01-01T10:00:00Z' }]);
    expect(screen.getByText('Locked out')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Let in Bo again' }));
    await waitFor(() => expect(asked).toMatchObject([{ method: 'PATCH', body: { disabled: false } }]));
  });
});
