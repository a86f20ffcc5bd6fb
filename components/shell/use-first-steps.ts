import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { requestJson } from '#components/api/request.ts';
import { modelsView } from '#lib/models/contract.ts';
import { useMe } from './me-scope.tsx';
import { openSettings } from './settings-places.ts';

export interface FirstStep {
  key: 'run' | 'model';
  href: string;
  isDone: boolean;
}

/** What this browser remembers of a person's beginnings in a workspace. */
const remembered = z.object({ isDismissed: z.boolean().default(false), hasReadRun: z.boolean().default(false) });
type Remembered = z.infer<typeof remembered>;

/** The steps that the person may take, each with whether it is done already; none until that is known, or once sent away. */
export function useFirstSteps(): { steps: readonly FirstStep[]; dismiss: () => void } {
  const { tenant, user, permissions } = useMe();
  const path = usePathname();
  const storedAs = `bw-first-steps:${tenant.slug}:${user.id}`;
  const [memory, setMemory] = useState<Remembered | null>(null);
  const [hasModel, setHasModel] = useState<boolean | null>(null);
  const base = `/${tenant.slug}`;
  const mayModels = permissions.includes('model:manage') && openSettings(permissions).some(({ key }) => key === 'models');
  const isReadingRun = path.startsWith(`${base}/runs/`);
  const place = path.split('/')[2] ?? '';
  useEffect(() => {
    const before = recall(storedAs);
    const now = { ...before, hasReadRun: before.hasReadRun || isReadingRun };
    if (now.hasReadRun !== before.hasReadRun) remember(storedAs, now);
    setMemory(now);
  }, [storedAs, isReadingRun]);
  const isShown = memory !== null && !memory.isDismissed && mayModels;
  // Asked again wherever the person goes: it may have been done there.
  useEffect(() => {
    if (!isShown || hasModel === true) return undefined;
    const abort = new AbortController();
    requestJson(`/api/t/${tenant.slug}/models`, modelsView, { signal: abort.signal }).then(
      ({ inUse, providers }) => setHasModel(inUse !== null || providers.length > 0),
      // Without an answer the steps stay away.
      () => undefined,
    );
    return () => abort.abort();
  }, [tenant.slug, place, isShown, hasModel]);
  const dismiss = () => {
    const next = { ...recall(storedAs), isDismissed: true };
    remember(storedAs, next);
    setMemory(next);
  };
  if (!isShown || hasModel === null) return { steps: [], dismiss };
  const steps: FirstStep[] = [
    { key: 'run', href: `${base}/runs`, isDone: memory.hasReadRun },
    { key: 'model', href: `${base}/settings/models`, isDone: hasModel },
  ];
  return { steps: steps.every(({ isDone }) => isDone) ? [] : steps, dismiss };
}

function recall(storedAs: string): Remembered {
  try {
    return remembered.parse(JSON.parse(localStorage.getItem(storedAs) ?? '{}'));
  } catch {
    return { isDismissed: false, hasReadRun: false };
  }
}

function remember(storedAs: string, memory: Remembered): void {
  try {
    localStorage.setItem(storedAs, JSON.stringify(memory));
  } catch {
    // A browser that keeps nothing shows the steps again.
  }
}
