'use client';

import { useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { type PluginOperationView, pluginOperationView } from '#lib/plugins/contract.ts';

const LOOK_AGAIN_MS = 400;

/** An operation as it goes on, until it has ended. A look that fails is taken again. */
export function useOperation(tenantSlug: string, begun: PluginOperationView | null): PluginOperationView | null {
  const [latest, setLatest] = useState<PluginOperationView | null>(null);
  const operation = latest?.id === begun?.id ? (latest ?? begun) : begun;
  const isRunning = operation?.state === 'RUNNING';
  const id = operation?.id;
  useEffect(() => {
    if (!isRunning || id === undefined) return undefined;
    const ending = new AbortController();
    const look = async () => {
      const next = await requestJson(`/api/t/${tenantSlug}/marketplace/operations/${id}`, pluginOperationView, { signal: ending.signal });
      if (!ending.signal.aborted) setLatest(next);
    };
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_AGAIN_MS);
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [tenantSlug, id, isRunning]);
  return operation;
}
