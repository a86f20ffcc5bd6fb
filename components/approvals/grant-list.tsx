'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Section } from '#components/ui/section.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { ApprovalGrantView } from '#lib/supervisor/contract.ts';

/** What was allowed for the rest of a session, each with its end. */
export function GrantList({ grants }: { grants: readonly ApprovalGrantView[] }) {
  const t = useTranslations('approvals.settings');
  const titleOf = useCapabilityTitle();
  const { tenant } = useMe();
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const revoke = async ({ id }: ApprovalGrantView) => {
    if (await send(() => requestDone(`/api/t/${tenant.slug}/approval-grants/${id}`, { method: 'DELETE' }))) router.refresh();
  };
  return (
    <Section title={t('grants')} intro={grants.length === 0 ? t('noGrants') : t('grantsLead')}>
      {failure ? <FailureNotice failure={failure} className="mb-3" /> : null}
      <ul className="flex flex-col">
        {grants.map((grant) => {
          const title = titleOf(grant.capabilityId) ?? grant.capabilityId;
          const same = Object.entries(grant.sameArguments).map(
            ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
          );
          return (
            <li
              key={grant.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-2.5 text-ui last:border-b-0"
            >
              <span className="min-w-0 flex-1 basis-64">
                <span className="font-medium">{title}</span>{' '}
                <code className="font-mono text-meta text-muted-foreground">{grant.capabilityVersion}</code>
                <span className="block text-meta break-words text-muted-foreground">
                  {[
                    same.length > 0 ? same.join(' · ') : t('anyArguments'),
                    grant.sessionTitle,
                    t('grantedBy', { name: grant.grantedBy.name }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                  {' · '}
                  <TimeAgo at={grant.createdAt} />
                </span>
              </span>
              <Button size="small" disabled={isSending} onClick={() => void revoke(grant)} aria-label={t('revokeOf', { title })}>
                {t('revoke')}
              </Button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
