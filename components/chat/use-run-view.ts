import { useCallback, useRef, useState } from 'react';
import { z } from 'zod';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { type RunView, runEventView, runView } from '#lib/supervisor/contract.ts';
import { applyRunEvents, type RunProgress, startProgress } from './run-progress.ts';

interface LoadedRun {
  run: RunView | null;
  /** What its log says of a model's part in it; null where no model took part. */
  parts: Pick<RunProgress, 'reasoning' | 'handoffs'> | null;
  failure: RequestFailure | null;
  load: () => void;
}

const logPage = z.object({ items: z.array(runEventView), lastSeq: z.number() });
const PER_READ = 1000;

/** A stored run, fetched when it is asked for. */
export function useRunView(tenantSlug: string, runId: string): LoadedRun {
  const [loaded, setLoaded] = useState<Pick<LoadedRun, 'run' | 'parts'>>({ run: null, parts: null });
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const isLoading = useRef(false);
  const load = useCallback(() => {
    if (isLoading.current) return;
    isLoading.current = true;
    setFailure(null);
    readRun(`/api/t/${tenantSlug}/runs/${runId}`, runId)
      .then(setLoaded, (thrown: unknown) => setFailure(toRequestFailure(thrown)))
      .finally(() => {
        isLoading.current = false;
      });
  }, [tenantSlug, runId]);
  return { ...loaded, failure, load };
}

async function readRun(path: string, runId: string): Promise<Pick<LoadedRun, 'run' | 'parts'>> {
  const run = await requestJson(path, runView);
  if (run.usage === null) return { run, parts: null };
  let progress = startProgress(runId);
  for (;;) {
    const { items, lastSeq } = await requestJson(`${path}/events?after=${progress.lastSeq}&limit=${PER_READ}`, logPage);
    progress = applyRunEvents(progress, items);
    if (items.length === 0 || progress.lastSeq >= lastSeq) return { run, parts: progress };
  }
}
