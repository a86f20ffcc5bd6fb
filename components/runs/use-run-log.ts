import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { requestJson } from '#components/api/request.ts';
import { type RunEventView, runEventView } from '#lib/supervisor/contract.ts';

const PER_READ = 500;

export interface RunLog {
  items: readonly RunEventView[];
  lastSeq: number;
}

const logPage = z.object({ items: z.array(runEventView), lastSeq: z.number() });

/**
 * A run's log, read a part at a time: the first when it is shown, further ones when they are asked for or, of a run under
 * way, as they come. `version` changes when what was read must be read anew: after a reveal.
 */
export function useRunLog(path: string, options: { isShown: boolean; lastSeq: number; version: string }) {
  const { isShown, lastSeq, version } = options;
  const [log, setLog] = useState<{ version: string; items: readonly RunEventView[] }>({ version, items: [] });
  const [isLoading, setIsLoading] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const items = log.version === version ? log.items : [];
  const read = items.at(-1)?.seq ?? 0;
  const isReading = useRef(false);
  const loadMore = useCallback(() => {
    if (isReading.current) return;
    isReading.current = true;
    setIsLoading(true);
    const readOn = async () => {
      try {
        const page = await requestJson(`${path}/events?after=${read}&limit=${PER_READ}`, logPage);
        setHasFailed(false);
        setLog((before) => {
          const known = before.version === version ? before.items : [];
          const last = known.at(-1)?.seq ?? 0;
          return { version, items: [...known, ...page.items.filter(({ seq }) => seq > last)] };
        });
      } catch {
        setHasFailed(true);
      }
      isReading.current = false;
      setIsLoading(false);
    };
    void readOn();
  }, [path, read, version]);
  // The first part, and what is written while the end of the log is in view; the rest of a long log waits to be asked for.
  const isDue = isShown && !hasFailed && read < lastSeq && (read === 0 || lastSeq - read < PER_READ);
  useEffect(() => {
    if (isDue) loadMore();
  }, [isDue, loadMore]);
  return { log: { items, lastSeq: Math.max(lastSeq, read) }, loadMore, isLoading };
}
