'use client';

import { CopyIcon, PencilIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { RoleView } from '#lib/tenancy/contract.ts';
import { DeleteRole } from './delete-role.tsx';
import { NewRole } from './new-role.tsx';
import { draftOf, type RoleDraft } from './role-draft.ts';
import { useRoleName } from './use-role-name.ts';
import { ViewAsRole } from './view-as-role.tsx';

interface RoleColumnHeadProps {
  role: RoleView;
  roles: readonly RoleView[];
  canManage: boolean;
  isEdited: boolean;
  onEdit: (draft: RoleDraft) => void;
  onFailed: (thrown: unknown) => void;
}

/** A role's name, who has it, and what can be done with it. */
export function RoleColumnHead({ role, roles, canManage, isEdited, onEdit, onFailed }: RoleColumnHeadProps) {
  const t = useTranslations('people.roles');
  const roleName = useRoleName();
  const { tenant, permissions } = useMe();
  const name = roleName(role);
  const isAbove = role.permissions.some((permission) => !permissions.includes(permission));
  const holders = t('holders', { count: role.memberCount });
  return (
    <th
      scope="col"
      className={joinClasses(
        'sticky top-0 z-20 h-16 min-w-28 border-b border-border px-3 py-1 align-bottom font-normal',
        isEdited ? 'bg-card shadow-[inset_0_2px_0_var(--primary)]' : 'bg-background',
      )}
    >
      <span className="block max-w-40 truncate text-ui font-medium">{name}</span>
      <span className="flex items-center justify-center gap-0.5 text-meta text-muted-foreground">
        {permissions.includes('member:read') && role.memberCount > 0 ? (
          <Link
            href={`/${tenant.slug}/settings/members?role=${encodeURIComponent(role.key)}`}
            className="touchable whitespace-nowrap underline underline-offset-2 hover:text-foreground"
          >
            {holders}
          </Link>
        ) : (
          <span className="whitespace-nowrap">{holders}</span>
        )}
        {canManage ? (
          <>
            <ViewAsRole roleId={role.id} name={name} onFailed={onFailed} />
            <NewRole
              roles={roles}
              from={role}
              trigger={
                <Button look="quiet" size="squareSmall" aria-label={t('duplicateNamed', { role: name })} title={t('duplicate')}>
                  <CopyIcon aria-hidden />
                </Button>
              }
            />
            {role.isBuiltIn || isAbove ? null : (
              <>
                <Button
                  look="quiet"
                  size="squareSmall"
                  aria-label={t('editNamed', { role: name })}
                  title={t('edit')}
                  disabled={isEdited}
                  onClick={() => onEdit(draftOf(role))}
                >
                  <PencilIcon aria-hidden />
                </Button>
                <DeleteRole role={role} />
              </>
            )}
          </>
        ) : null}
      </span>
    </th>
  );
}
