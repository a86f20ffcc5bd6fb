import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { requestJson } from '#components/api/request.ts';
import { useRunStream } from '#components/live/live-scope.tsx';
import { type RunEventView, type RunView, runEventView, runView } from '#lib/supervisor/contract.ts';
import { hasEnded } from './has-ended.ts';

const REREAD_AFTER_MS = 500;
const PER_READ = 500;

export interface RunLog {
  items: readonly RunEventView[];
  lastSeq: number;
}

interface LiveRun {
  run: RunView;
  log: RunLog;
  /** Reads the next part of the log of a run whose log was too long to come with the page. */
  loadMore: () => void;
  isLoading: boolean;
}

const logPage = z.object({ items: z.array(runEventView), lastSeq: z.number() });

/** A run and its log, kept up to date while the run goes on: events as they come, the run's own figures shortly after. */
export function useLiveRun(tenantSlug: string, initialRun: RunView, initialLog: RunLog): LiveRun {
  const stream = useRunStream();
  const [run, setRun] = useState(initialRun);
  const [log, setLog] = useState(initialLog);
  const [isLoading, setIsLoading] = useState(false);
  const runId = initialRun.id;
  const path = `/api/t/${tenantSlug}/runs/${runId}`;
  const after = useRef(initialLog.items.at(-1)?.seq ?? 0);
  const isFollowed = !hasEnded(run.state);

  const append = useCallback((events: readonly RunEventView[], lastSeq: number) => {
    setLog((before) => {
      const known = before.items.at(-1)?.seq ?? 0;
      const added = events.filter(({ seq }) => seq > known);
      after.current = Math.max(known, added.at(-1)?.seq ?? 0);
      return { items: [...before.items, ...added], lastSeq: Math.max(before.lastSeq, lastSeq) };
    });
  }, []);

  useEffect(() => {
    if (!stream || !isFollowed) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pending: RunEventView[] = [];
    const reread = () => {
      clearTimeout(timer);
      timer = undefined;
      append(pending, pending.at(-1)?.seq ?? 0);
      pending = [];
      requestJson(path, runView).then(setRun, () => undefined);
    };
    const stop = stream.follow(runId, after.current, {
      onEvent: (event) => {
        pending.push(event);
        timer ??= setTimeout(reread, REREAD_AFTER_MS);
      },
      onEnd: reread,
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [stream, isFollowed, runId, path, append]);

  const loadMore = useCallback(() => {
    setIsLoading(true);
    requestJson(`${path}/events?after=${after.current}&limit=${PER_READ}`, logPage)
      .then(
        ({ items, lastSeq }) => append(items, lastSeq),
        () => undefined,
      )
      .finally(() => setIsLoading(false));
  }, [path, append]);
  return { run, log, loadMore, isLoading };
}
