import { useCallback, useRef, useState } from 'react';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { type RunView, runView } from '#lib/supervisor/contract.ts';

interface LoadedRun {
  run: RunView | null;
  failure: RequestFailure | null;
  load: () => void;
}

/** A stored run, fetched when it is asked for. */
export function useRunView(tenantSlug: string, runId: string): LoadedRun {
  const [run, setRun] = useState<RunView | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const isLoading = useRef(false);
  const load = useCallback(() => {
    if (isLoading.current) return;
    isLoading.current = true;
    setFailure(null);
    requestJson(`/api/t/${tenantSlug}/runs/${runId}`, runView)
      .then(setRun, (thrown: unknown) => setFailure(toRequestFailure(thrown)))
      .finally(() => {
        isLoading.current = false;
      });
  }, [tenantSlug, runId]);
  return { run, failure, load };
}
