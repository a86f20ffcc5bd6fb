import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import { Time } from '#components/ui/time.tsx';
import type { ApprovalView } from '#lib/supervisor/contract.ts';
import { ArgumentList } from './argument-fields.tsx';

/** What was decided, by whom and when: it stays where it was asked. */
export function DecidedApproval({ approval, place }: { approval: ApprovalView; place?: ReactNode }) {
  const t = useTranslations('approvals');
  const titleOf = useCapabilityTitle();
  const { state, extent, decidedBy, decidedAt, note, proposedArguments } = approval;
  const name = decidedBy?.name ?? '';
  const outcome = state === 'APPROVED' ? (extent === 'session' ? 'allowedForSession' : 'allowed') : state === 'DENIED' ? 'denied' : null;
  return (
    <div className="flex flex-col gap-1 border-s-2 border-border py-1 ps-3 text-ui text-muted-foreground">
      <p>
        {t('question', { title: titleOf(approval.capabilityId) ?? approval.capabilityId })}
        {place ? <> · {place}</> : null}
      </p>
      <p className="text-foreground">
        {outcome ? t(`decided.${outcome}`, { name }) : t(state === 'EXPIRED' ? 'decided.expired' : 'decided.withdrawn')}
        {decidedAt ? (
          <>
            {' · '}
            <Time at={decidedAt} />
          </>
        ) : null}
      </p>
      {note ? <p className="text-foreground">{t('decided.note', { note })}</p> : null}
      {proposedArguments ? (
        <>
          <p>{t('decided.changed', { name })}</p>
          <ArgumentList values={approval.arguments} />
        </>
      ) : null}
    </div>
  );
}
