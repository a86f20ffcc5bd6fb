import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { requestJson } from '#components/api/request.ts';
import { remember, useMemory } from './first-steps-memory.ts';
import { useMe } from './me-scope.tsx';

const installed = z.object({ installedCount: z.number() });
const listed = z.object({ items: z.array(z.unknown()) });
const models = z.object({ inUse: z.unknown(), providers: z.array(z.unknown()) });

/** What only the server knows to be done: for whom it is a step, where it is taken, and how to ask. */
const ASKED = [
  {
    key: 'plugin',
    permission: 'plugin:install',
    path: '/marketplace',
    isDone: async (api: string, signal: AbortSignal) => (await requestJson(`${api}/marketplace`, installed, { signal })).installedCount > 0,
  },
  {
    key: 'invite',
    permission: 'member:manage',
    path: '/settings/members',
    isDone: async (api: string, signal: AbortSignal) => (await requestJson(`${api}/members?limit=2`, listed, { signal })).items.length > 1,
  },
  {
    key: 'model',
    permission: 'model:manage',
    path: '/settings/models',
    isDone: async (api: string, signal: AbortSignal) => {
      const { inUse, providers } = await requestJson(`${api}/models`, models, { signal });
      return inUse !== null || providers.length > 0;
    },
  },
] as const;

type AskedKey = (typeof ASKED)[number]['key'];

export interface FirstStep {
  key: 'run' | AskedKey;
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
  const [known, setKnown] = useState<{ place: string; done: ReadonlyMap<AskedKey, boolean> } | null>(null);
  const base = `/${tenant.slug}`;
  const isReadingRun = path.startsWith(`${base}/runs/`);
  const place = path.split('/')[2] ?? '';
  const isShown = isDismissed === false && ASKED.some(({ permission }) => permissions.includes(permission));
  useEffect(() => {
    if (isReadingRun) remember(owner, 'has-read-run');
  }, [owner, isReadingRun]);
  // Asked again wherever the person goes: it may have been done there.
  useEffect(() => {
    if (!isShown) return undefined;
    const abort = new AbortController();
    const read = async () => {
      const asked = ASKED.filter(({ permission }) => permissions.includes(permission));
      const answers = await Promise.all(
        asked.map(async ({ key, isDone }) => [key, await isDone(`/api/t/${tenant.slug}`, abort.signal)] as const),
      );
      setKnown({ place, done: new Map(answers) });
    };
    // Without an answer the steps stay away.
    read().catch(() => undefined);
    return () => abort.abort();
  }, [tenant.slug, permissions, place, isShown]);
  const dismiss = () => remember(owner, 'dismissed');
  if (!isShown || known === null) return { steps: [], dismiss };
  const steps: FirstStep[] = [
    { key: 'run', href: `${base}/runs`, isDone: hasReadRun },
    ...ASKED.flatMap(({ key, path: below }) => {
      const isDone = known.done.get(key);
      return isDone === undefined ? [] : [{ key, href: base + below, isDone }];
    }),
  ];
  return { steps: steps.every(({ isDone }) => isDone) ? [] : steps, dismiss };
}
