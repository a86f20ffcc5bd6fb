import { useCallback, useState } from 'react';
import { type RequestFailure, requestDone, requestJson, toRequestFailure } from '#components/api/request.ts';
import { type SendMessageResult, sendMessageResult } from '#lib/conversations/contract.ts';

interface RunActions {
  stop: (runId: string) => void;
  /** The run whose stop has been asked for. */
  stopping: string | null;
  /** Asks the same again. */
  retry: (runId: string, text: string) => void;
  retrying: string | null;
  failure: RequestFailure | null;
}

/** What can be done with a run from its chat. `onAccepted` is told of the run that a retry has made. */
export function useRunActions(tenantSlug: string, onAccepted: (result: SendMessageResult, text: string) => void): RunActions {
  const [stopping, setStopping] = useState<string | null>(null);
  const [retrying, setRetrying] = useState<string | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const stop = useCallback(
    async (runId: string) => {
      setStopping(runId);
      setFailure(null);
      try {
        await requestDone(`/api/t/${tenantSlug}/runs/${runId}/cancel`, { method: 'POST' });
      } catch (thrown) {
        setFailure(toRequestFailure(thrown));
        setStopping(null);
      }
    },
    [tenantSlug],
  );
  const retry = useCallback(
    async (runId: string, text: string) => {
      setRetrying(runId);
      setFailure(null);
      try {
        onAccepted(await requestJson(`/api/t/${tenantSlug}/runs/${runId}/retry`, sendMessageResult, { method: 'POST' }), text);
      } catch (thrown) {
        setFailure(toRequestFailure(thrown));
      }
      setRetrying(null);
    },
    [tenantSlug, onAccepted],
  );
  return {
    stop: useCallback((runId: string) => void stop(runId), [stop]),
    stopping,
    retry: useCallback((runId: string, text: string) => void retry(runId, text), [retry]),
    retrying,
    failure,
  };
}
