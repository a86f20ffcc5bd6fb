'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useMe } from '#components/shell/me-scope.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { PageLinks } from '#components/ui/page-links.tsx';
import { Badge, StateChip } from '#components/ui/state-chip.tsx';
import { Time } from '#components/ui/time.tsx';
import type { MemberPage, MemberView, RoleView } from '#lib/tenancy/contract.ts';
import { MemberActions } from './member-actions.tsx';
import { useRoleName } from './use-role-name.ts';

interface MembersListProps {
  page: MemberPage;
  /** Empty where the reader may not see roles. */
  roles: readonly RoleView[];
  filters: { q?: string | undefined; role?: string | undefined; cursor?: string | undefined };
  canManage: boolean;
}

/** The people of a workspace, and what can be done with each. */
export function MembersList({ page, roles, filters, canManage }: MembersListProps) {
  const t = useTranslations('people');
  const { tenant } = useMe();
  const [said, setSaid] = useState('');
  const here = (cursor: string | null) => {
    const search = new URLSearchParams(
      Object.entries({ q: filters.q, role: filters.role, cursor: cursor ?? undefined }).flatMap(([key, value]) =>
        value ? [[key, value]] : [],
      ),
    );
    return `/${tenant.slug}/settings/members${search.size > 0 ? `?${search}` : ''}`;
  };
  return (
    <>
      <LiveRegion text={said || t('members.count', { count: page.items.length })} />
      {page.items.length === 0 ? (
        <EmptyState
          title={t('members.none')}
          action={
            <Link href={`/${tenant.slug}/settings/members`} className={buttonClasses({ look: 'outline' })}>
              {t('members.clear')}
            </Link>
          }
        >
          {t('members.noneBody')}
        </EmptyState>
      ) : (
        <ul aria-label={t('members.label', { tenant: tenant.name })} className="border-t border-border">
          {page.items.map((member) => (
            <MemberRow key={member.userId} member={member} roles={roles} canManage={canManage} onSaved={setSaid} />
          ))}
        </ul>
      )}
      <PageLinks
        first={filters.cursor ? here(null) : null}
        next={page.nextCursor ? here(page.nextCursor) : null}
        words={{ first: t('first'), next: t('older') }}
      />
    </>
  );
}

interface MemberRowProps {
  member: MemberView;
  roles: readonly RoleView[];
  canManage: boolean;
  onSaved: (text: string) => void;
}

function MemberRow({ member, roles, canManage, onSaved }: MemberRowProps) {
  const t = useTranslations('people');
  const roleName = useRoleName();
  const { user, tenant, permissions } = useMe();
  const canExplain = permissions.includes('role:read') && permissions.includes('member:read');
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex min-w-0 items-center gap-2 text-ui font-medium">
          <span className="truncate">{member.name}</span>
          {member.userId === user.id ? <Badge>{t('you')}</Badge> : null}
        </p>
        <p className="truncate text-meta text-muted-foreground">{member.email}</p>
      </div>
      <span className="min-w-20 text-ui break-words sm:w-28">{roleName(member.role)}</span>
      <span className="w-24">
        {member.disabledAt === null ? (
          <StateChip tone="ok">{t('members.active')}</StateChip>
        ) : (
          <StateChip tone="stopped">{t('members.lockedOut')}</StateChip>
        )}
      </span>
      <span className="w-24 text-meta text-muted-foreground max-lg:hidden">
        <Time at={member.joinedAt} look="day" />
      </span>
      {canManage || canExplain ? (
        <div className="flex flex-wrap items-center gap-1 max-md:basis-full">
          {canExplain ? (
            <Link
              href={`/${tenant.slug}/settings/access?user=${member.userId}`}
              aria-label={t('members.explainNamed', { name: member.name })}
              className={buttonClasses({ look: 'quiet', size: 'small' })}
            >
              {t('members.explain')}
            </Link>
          ) : null}
          {canManage ? <MemberActions member={member} roles={roles} onSaved={onSaved} /> : null}
        </div>
      ) : null}
    </li>
  );
}
