'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
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

interface SwitchProps {
  label: string;
  hint: string;
  isOn: boolean;
  isDisabled: boolean;
  onChange: (isOn: boolean) => void;
}

function Switch({ label, hint, isOn, isDisabled, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[2.25rem_1fr] items-start gap-x-3">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
        className="relative mt-0.5 h-5 w-9 cursor-pointer appearance-none rounded-full border border-input bg-sunken transition-colors duration-[120ms] before:absolute before:start-0.5 before:top-1/2 before:size-3.5 before:-translate-y-1/2 before:rounded-full before:bg-muted-foreground checked:border-primary checked:bg-primary checked:before:start-auto checked:before:end-0.5 checked:before:bg-primary-foreground disabled:cursor-not-allowed disabled:opacity-60"
      />
      <div>
        <label htmlFor={id} className="touchable text-ui font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-meta text-muted-foreground">
          {hint}
        </p>
      </div>
    </div>
  );
}
