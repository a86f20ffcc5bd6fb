import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { AccessRequests } from '#components/tenancy/access-requests.tsx';
import { Invitations } from '#components/tenancy/invitations.tsx';
import { MemberFilters } from '#components/tenancy/member-filters.tsx';
import { MembersList } from '#components/tenancy/members-list.tsx';
import { loadAccessRequests, loadInvitations, loadMembers, loadRoles, loadShell, oneOf, type SearchParams } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('people.title');
  return { title: t('members') };
}

interface MembersPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function MembersPage({ params, searchParams }: MembersPageProps) {
  const [{ tenant }, search, t] = await Promise.all([params, searchParams, getTranslations('people')]);
  const filters = { q: oneOf(search.q), role: oneOf(search.role), cursor: oneOf(search.cursor) };
  const [me, members, roles, invitations, requests] = await Promise.all([
    loadShell(tenant),
    loadMembers(tenant, filters),
    loadRoles(tenant),
    loadInvitations(tenant),
    loadAccessRequests(tenant),
  ]);
  if (!members.isAllowed) return <Denied permission={members.permission} />;
  const known = roles.isAllowed ? roles.value.items : [];
  return (
    <SettingsPage title={t('title.members')} intro={t('members.lead')} isWide>
      <AccessRequests requests={requests} />
      <div className="flex flex-col gap-4">
        <MemberFilters roles={known} />
        <MembersList page={members.value} roles={known} filters={filters} canManage={me.permissions.includes('member:manage')} />
      </div>
      {invitations.isAllowed ? <Invitations page={invitations.value} roles={known} /> : null}
    </SettingsPage>
  );
}
