'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { type ModelPolicy, modelPolicy } from '#lib/models/contract.ts';

/** Whether the workspace uses a model, and what becomes of a run whose model fails. A switch holds from when the server has it. */
export function PolicySwitches({ policy, canManage }: { policy: ModelPolicy; canManage: boolean }) {
  const t = useTranslations('models.policy');
  const { tenant } = useMe();
  const router = useRouter();
  const [wanted, setWanted] = useState<ModelPolicy | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const [kept, setKept] = useState(policy);
  const shown = wanted ?? kept;
  const change = async (next: ModelPolicy) => {
    setWanted(next);
    setFailure(null);
    try {
      setKept(await requestJson(`/api/t/${tenant.slug}/models/policy`, modelPolicy, { method: 'PUT', body: next }));
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setWanted(null);
    }
  };
  const isDisabled = !canManage || wanted !== null;
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('enabled')}
        hint={t('enabledHint')}
        isOn={shown.isEnabled}
        isDisabled={isDisabled}
        onChange={(isEnabled) => void change({ ...kept, isEnabled })}
      />
      <Switch
        label={t('fallsBack')}
        hint={t('fallsBackHint')}
        isOn={shown.fallsBack}
        isDisabled={isDisabled || !shown.isEnabled}
        onChange={(fallsBack) => void change({ ...kept, fallsBack })}
      />
      <LiveRegion text={wanted ? t('saving') : ''} />
      {failure ? <FailureNotice failure={failure} /> : null}
    </div>
  );
}
