import { useCallback, useMemo, useState } from 'react';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import type { TranscriptView } from '#lib/conversations/contract.ts';

export interface Pins {
  /** Keeps a message and its answer word for word when others are summarised, or lets them go again. */
  toggle: (messageId: string, isPinned: boolean) => void;
  /** The same for the messages whose runs answered them. */
  byRun: ReadonlyMap<string, { readonly isPinned: boolean; readonly toggle: () => void }>;
  failure: RequestFailure | null;
}

/** Pins of a chat's messages. A pin shows at once, and is taken back when the server refuses it. */
export function usePins(
  tenantSlug: string,
  transcript: TranscriptView,
  amend: (change: (transcript: TranscriptView) => TranscriptView) => void,
): Pins {
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const sessionId = transcript.session.id;
  const toggle = useCallback(
    async (messageId: string, isPinned: boolean) => {
      const show = (shown: boolean) =>
        amend((before) => ({
          ...before,
          messages: before.messages.map((message) => (message.id === messageId ? { ...message, isPinned: shown } : message)),
        }));
      setFailure(null);
      show(isPinned);
      try {
        await requestDone(`/api/t/${tenantSlug}/sessions/${sessionId}/messages/${messageId}`, { method: 'PATCH', body: { isPinned } });
      } catch (thrown) {
        show(!isPinned);
        setFailure(toRequestFailure(thrown));
      }
    },
    [tenantSlug, sessionId, amend],
  );
  const byRun = useMemo(
    () =>
      new Map(
        transcript.messages
          .filter(({ role }) => role === 'user')
          .map(({ id, runId, isPinned }) => [runId, { isPinned, toggle: () => void toggle(id, !isPinned) }]),
      ),
    [transcript.messages, toggle],
  );
  return { toggle: useCallback((messageId: string, isPinned: boolean) => void toggle(messageId, isPinned), [toggle]), byRun, failure };
}
