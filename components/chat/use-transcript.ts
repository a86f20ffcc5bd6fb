import { useCallback, useEffect, useRef, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { type TranscriptView, transcriptView } from '#lib/conversations/contract.ts';
import { onSessionNews } from './session-news.ts';

/** A page or tab that has been out of sight for longer than this may have missed what other devices did. */
const STALE_MS = 10_000;

interface LiveTranscript {
  transcript: TranscriptView;
  /** Shows a change at once; the next reading from the server has the last word. */
  amend: (change: (transcript: TranscriptView) => TranscriptView) => void;
}

/** The transcript of a chat, read again when something is heard of it: a run's end, another tab, a return to this one. */
export function useTranscript(tenantSlug: string, initial: TranscriptView, readAt: number): LiveTranscript {
  const [transcript, setTranscript] = useState(initial);
  const sessionId = initial.session.id;
  const latest = useRef(0);
  const refresh = useCallback(async () => {
    const reading = (latest.current += 1);
    try {
      const read = await requestJson(`/api/t/${tenantSlug}/sessions/${sessionId}`, transcriptView);
      if (reading === latest.current) setTranscript(read);
    } catch {
      // What is shown stays; the connection bar tells when the server is out of reach.
    }
  }, [tenantSlug, sessionId]);
  useEffect(() => {
    // Going back in the history shows the page as it was then.
    if (Math.abs(Date.now() - readAt) < STALE_MS) return undefined;
    const timer = setTimeout(() => void refresh(), 0);
    return () => clearTimeout(timer);
  }, [readAt, refresh]);
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news.tenantSlug === tenantSlug && news.sessionId === sessionId) void refresh();
      }),
    [tenantSlug, sessionId, refresh],
  );
  useEffect(() => {
    let hiddenAt = Date.now();
    const onChange = () => {
      if (document.visibilityState === 'hidden') hiddenAt = Date.now();
      else if (Date.now() - hiddenAt > STALE_MS) void refresh();
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [refresh]);
  const amend = useCallback((change: (transcript: TranscriptView) => TranscriptView) => {
    // A reading that was begun before the change does not know it.
    latest.current += 1;
    setTranscript(change);
  }, []);
  return { transcript, amend };
}
