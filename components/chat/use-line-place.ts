import { useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { queuePlaceView } from '#lib/supervisor/contract.ts';

/** A run that begins at once is not asked about. */
const FIRST_LOOK_MS = 1_000;
const LOOK_MS = 2_000;

/** Where a run stands in the line before the places of the deployment, 1: next; null when it does not, or it is not known. */
export function useLinePlace(tenantSlug: string, runId: string, isWaiting: boolean): number | null {
  const [place, setPlace] = useState<number | null>(null);
  useEffect(() => {
    let timer = 0;
    let isOver = !isWaiting;
    const lookIn = (ms: number) => {
      if (isOver) return;
      timer = window.setTimeout(() => {
        void look();
      }, ms);
    };
    const look = async () => {
      const told = await requestJson(`/api/t/${tenantSlug}/runs/${runId}/place`, queuePlaceView).catch(() => null);
      if (!isOver) setPlace(told?.place ?? null);
      lookIn(LOOK_MS);
    };
    lookIn(FIRST_LOOK_MS);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [tenantSlug, runId, isWaiting]);
  return isWaiting ? place : null;
}
