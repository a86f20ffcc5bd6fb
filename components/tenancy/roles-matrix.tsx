'use client';

import { useTranslations } from 'next-intl';
import { type Dispatch, type SetStateAction, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { LiveRegion } from '#components/ui/live-region.tsx';
import type { PermissionName, RoleView } from '#lib/tenancy/contract.ts';
import { PERMISSION_GROUPS, type PermissionGroup } from './permission-groups.ts';
import { RoleColumnHead } from './role-column-head.tsx';
import { type RoleDraft, toggled } from './role-draft.ts';
import { RoleEditBar } from './role-edit-bar.tsx';
import { useRoleName } from './use-role-name.ts';

/** Permissions by resource and action against roles. One custom role at a time is edited in its column. */
export function RolesMatrix({ roles, canManage }: { roles: readonly RoleView[]; canManage: boolean }) {
  const t = useTranslations('people.roles');
  const [draft, setDraft] = useState<RoleDraft | null>(null);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const edited = roles.find(({ id }) => id === draft?.roleId);
  return (
    <div>
      <LiveRegion text={said} />
      {failure ? <FailureNotice failure={failure} className="mb-3" /> : null}
      <section
        aria-label={t('matrix')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="relative max-h-[72dvh] overflow-auto rounded-card border border-border -outline-offset-2"
      >
        <table className="w-max min-w-full border-separate border-spacing-0 text-ui">
          <thead>
            <tr>
              <th
                scope="col"
                className="sticky start-0 top-0 z-30 w-72 max-w-72 border-e border-b border-border bg-background px-4 py-2 text-start align-bottom text-meta font-normal text-muted-foreground max-md:w-40 max-md:max-w-40"
              >
                {t('permission')}
              </th>
              {roles.map((role) => (
                <RoleColumnHead
                  key={role.id}
                  role={role}
                  roles={roles}
                  canManage={canManage}
                  isEdited={role.id === draft?.roleId}
                  onEdit={setDraft}
                  onFailed={(thrown) => setFailure(toRequestFailure(thrown))}
                />
              ))}
            </tr>
          </thead>
          {PERMISSION_GROUPS.map((group) => (
            <Group key={group.noun} group={group} roles={roles} draft={draft} onDraft={setDraft} />
          ))}
        </table>
      </section>
      {draft && edited ? (
        <RoleEditBar
          role={edited}
          draft={draft}
          onDraft={setDraft}
          onEnd={(text) => {
            setDraft(null);
            setSaid(text);
          }}
        />
      ) : null}
    </div>
  );
}

interface GroupProps {
  group: PermissionGroup;
  roles: readonly RoleView[];
  draft: RoleDraft | null;
  onDraft: Dispatch<SetStateAction<RoleDraft | null>>;
}

function Group({ group, roles, draft, onDraft }: GroupProps) {
  const t = useTranslations('people');
  return (
    <tbody>
      <tr>
        <th
          scope="rowgroup"
          colSpan={roles.length + 1}
          className="sticky top-16 z-20 border-b border-border bg-sunken py-1 text-start text-meta font-medium"
        >
          <span className="sticky start-0 px-4">{t(`resources.${group.noun}`)}</span>
        </th>
      </tr>
      {group.permissions.map((permission) => (
        <tr key={permission}>
          <th
            scope="row"
            className="sticky start-0 z-10 w-72 max-w-72 border-e border-b border-border bg-background px-4 py-1.5 text-start font-normal max-md:w-40 max-md:max-w-40"
          >
            <span className="block break-words">{t(`permissions.${permission}`)}</span>
            <code className="font-mono text-meta break-all text-muted-foreground">{permission}</code>
          </th>
          {roles.map((role) => (
            <td key={role.id} className="border-b border-border p-0 text-center">
              {role.id === draft?.roleId ? (
                <EditedCell role={role} permission={permission} draft={draft} onDraft={onDraft} />
              ) : (
                <Cell has={role.permissions.includes(permission)} />
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Cell({ has }: { has: boolean }) {
  const t = useTranslations('people.roles');
  return (
    <>
      <span aria-hidden className={has ? 'text-foreground' : 'text-muted-foreground'}>
        {has ? '✓' : '–'}
      </span>
      <span className="sr-only">{has ? t('yes') : t('no')}</span>
    </>
  );
}

interface EditedCellProps {
  role: RoleView;
  permission: PermissionName;
  draft: RoleDraft;
  onDraft: GroupProps['onDraft'];
}

/** A cell of the role being edited. What differs from what is stored is marked by a sign and a shade until it is saved. */
function EditedCell({ role, permission, draft, onDraft }: EditedCellProps) {
  const t = useTranslations('people');
  const roleName = useRoleName();
  const { permissions } = useMe();
  const has = draft.permissions.includes(permission);
  const had = role.permissions.includes(permission);
  const isAbove = !permissions.includes(permission);
  const mark = has === had ? null : has ? 'added' : 'removed';
  return (
    <label
      title={isAbove ? t('roles.editing.above') : undefined}
      className={joinClasses(
        'touchable flex min-h-12 cursor-pointer items-center justify-center gap-1.5 px-3',
        mark === null ? 'bg-primary/4' : 'bg-primary/16 font-medium',
        isAbove && 'cursor-not-allowed',
      )}
    >
      <input
        type="checkbox"
        checked={has}
        disabled={isAbove}
        onChange={() => onDraft(toggled(draft, permission))}
        aria-label={t('roles.cell', { role: roleName(role), permission: t(`permissions.${permission}`) })}
        aria-describedby={mark ? `${role.id}-${permission}` : undefined}
        className="size-4 accent-primary"
      />
      <span aria-hidden className="w-2 font-mono">
        {mark === 'added' ? '+' : mark === 'removed' ? '−' : ''}
      </span>
      {mark ? (
        <span id={`${role.id}-${permission}`} className="sr-only">
          {t(`roles.editing.${mark}`)}
        </span>
      ) : null}
    </label>
  );
}
