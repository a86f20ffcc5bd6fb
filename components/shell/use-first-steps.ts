import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { modelsView } from '#lib/models/contract.ts';
import { remember, useMemory } from './first-steps-memory.ts';
import { useMe } from './me-scope.tsx';
import { openSettings } from './settings-places.ts';

export interface FirstStep {
  key: 'run' | 'model';
  href: string;
  isDone: boolean;
}

/** The steps that the person may take, each with whether it is done already; none until that is known, or once sent away. */
export function useFirstSteps(): { steps: readonly FirstStep[]; dismiss: () => void } {
  const { tenant, user, permissions } = useMe();
  const path = usePathname();
  const owner = `${tenant.slug}:${user.id}`;
  const isDismissed = useMemory(owner, 'dismissed');
  const hasReadRun = useMemory(owner, 'has-read-run') === true;
  /** What the server said last, and on which of the places it was asked. */
  const [known, setKnown] = useState<{ place: string; hasModel: boolean } | null>(null);
  const base = `/${tenant.slug}`;
  const isReadingRun = path.startsWith(`${base}/runs/`);
  const place = path.split('/')[2] ?? '';
  const mayModels = permissions.includes('model:manage') && openSettings(permissions).some(({ key }) => key === 'models');
  const isShown = isDismissed === false && mayModels;
  useEffect(() => {
    if (isReadingRun) remember(owner, 'has-read-run');
  }, [owner, isReadingRun]);
  // Asked again wherever the person goes: it may have been done there.
  useEffect(() => {
    if (!isShown) return undefined;
    const abort = new AbortController();
    const read = async () => {
      const { inUse, providers } = await requestJson(`/api/t/${tenant.slug}/models`, modelsView, { signal: abort.signal });
      setKnown({ place, hasModel: inUse !== null || providers.length > 0 });
    };
    // Without an answer the steps stay away.
    read().catch(() => undefined);
    return () => abort.abort();
  }, [tenant.slug, place, isShown]);
  const dismiss = () => remember(owner, 'dismissed');
  if (!isShown || known === null) return { steps: [], dismiss };
  const steps: FirstStep[] = [
    { key: 'run', href: `${base}/runs`, isDone: hasReadRun },
    { key: 'model', href: `${base}/settings/models`, isDone: known.hasModel },
  ];
  return { steps: steps.every(({ isDone }) => isDone) ? [] : steps, dismiss };
}
