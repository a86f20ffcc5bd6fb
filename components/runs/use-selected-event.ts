import { useEffect, useState } from 'react';
import { z } from 'zod';
import { requestJson } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import type { TracedRun } from '#lib/record/contract.ts';
import { type RunEventView, runEventView } from '#lib/supervisor/contract.ts';
import { eventSpanId } from './run-events.tsx';

const eventPage = z.object({ items: z.array(runEventView) });

/** The selected event: of what has been read of the log, else read by itself, so that a link to it leads to it. */
export function useSelectedEvent(
  run: Pick<TracedRun, 'id' | 'viewing'>,
  selected: string | null,
  log: readonly RunEventView[],
): RunEventView | undefined {
  const { tenant } = useMe();
  const seq = Number(/^event-(\d+)$/.exec(selected ?? '')?.[1] ?? Number.NaN);
  const known = log.find((event) => eventSpanId(event) === selected);
  const [read, setRead] = useState<{ viewing: string; event: RunEventView } | null>(null);
  const isMissing = Number.isInteger(seq) && known === undefined;
  const path = `/api/t/${tenant.slug}/runs/${run.id}/events?after=${seq - 1}&limit=1`;
  useEffect(() => {
    if (!isMissing) return undefined;
    const abort = new AbortController();
    requestJson(path, eventPage, { signal: abort.signal }).then(
      ({ items: [event] }) => event && setRead({ viewing: run.viewing, event }),
      () => undefined,
    );
    return () => abort.abort();
  }, [isMissing, path, run.viewing]);
  if (known) return known;
  return read !== null && read.event.seq === seq && read.viewing === run.viewing ? read.event : undefined;
}
