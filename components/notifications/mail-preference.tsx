'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { Section } from '#components/ui/section.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { type NoticePreference, type NotificationsView, noticePreference } from '#lib/notifications/contract.ts';

const CHOICES = ['approvals', 'questions', 'budgets'] as const;

/** Of what the reader is told by mail in this workspace. A switch holds from when the server has it. */
export function MailPreference({ initial, isDisabled }: { initial: NotificationsView; isDisabled: boolean }) {
  const t = useTranslations('notifications.mail');
  const { tenant } = useMe();
  const [kept, setKept] = useState(initial.preference);
  const [wanted, setWanted] = useState<NoticePreference | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const shown = wanted ?? kept;
  const change = async (body: NoticePreference) => {
    setWanted(body);
    setFailure(null);
    try {
      setKept(await requestJson(`/api/t/${tenant.slug}/notifications/preference`, noticePreference, { method: 'PUT', body }));
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setWanted(null);
    }
  };
  return (
    <Section title={t('title')} intro={initial.hasMail ? t('intro', { address: initial.address }) : t('off')}>
      <div className="flex flex-col gap-3">
        {CHOICES.map((choice) => (
          <Switch
            key={choice}
            label={t(choice)}
            hint={t(`${choice}Hint`)}
            isOn={shown[choice]}
            isDisabled={isDisabled || wanted !== null}
            onChange={(isOn) => void change({ ...kept, [choice]: isOn })}
          />
        ))}
        <LiveRegion text={wanted ? t('saving') : ''} />
        {failure ? <FailureNotice failure={failure} /> : null}
      </div>
    </Section>
  );
}
