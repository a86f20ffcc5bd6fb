import { useCallback, useEffect, useRef, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { useRunStream } from '#components/live/live-scope.tsx';
import { type RunTrace, runTrace } from '#lib/record/contract.ts';
import { hasEnded } from './has-ended.ts';

const REREAD_AFTER_MS = 500;

/** A run as its pictures need it, kept up to date while it goes on. `reread` is for what only the reader knows of: a reveal. */
export function useLiveTrace(tenantSlug: string, initial: RunTrace): { trace: RunTrace; reread: () => Promise<void> } {
  const stream = useRunStream();
  const [trace, setTrace] = useState(initial);
  const path = `/api/t/${tenantSlug}/runs/${initial.run.id}/trace`;
  const reread = useCallback(() => requestJson(path, runTrace).then(setTrace), [path]);
  const isFollowed = !hasEnded(trace.run.state);
  const after = useRef(initial.run.lastSeq);
  useEffect(() => {
    after.current = trace.run.lastSeq;
  }, [trace]);
  useEffect(() => {
    if (!stream || !isFollowed) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      clearTimeout(timer);
      timer = undefined;
      reread().catch(() => undefined);
    };
    const stop = stream.follow(initial.run.id, after.current, {
      onEvent: () => {
        timer ??= setTimeout(read, REREAD_AFTER_MS);
      },
      onEnd: read,
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [stream, isFollowed, initial.run.id, reread]);
  // A reveal ends by itself: what is shown is then read again, and comes redacted.
  const until = trace.run.revealedUntil;
  useEffect(() => {
    if (until === null) return undefined;
    const timer = setTimeout(() => void reread().catch(() => undefined), Math.max(0, Date.parse(until) - Date.now()) + 250);
    return () => clearTimeout(timer);
  }, [until, reread]);
  return { trace, reread };
}
