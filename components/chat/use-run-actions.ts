import { useCallback, useState } from 'react';
import { type RequestFailure, requestDone, requestJson, toRequestFailure } from '#components/api/request.ts';
import { type MessageView, type SendMessageResult, sendMessageResult } from '#lib/conversations/contract.ts';

interface RunActions {
  stop: (runId: string) => void;
  /** The run whose stop has been asked for. */
  stopping: string | null;
  /** Asks a message again, as a branch beside it. */
  retry: (message: MessageView) => void;
  /** The run that is being asked again. */
  retrying: string | null;
  failure: RequestFailure | null;
}

/** What can be done with a run from its chat. `onAccepted` is told of the run that a retry has made. */
export function useRunActions(tenantSlug: string, onAccepted: (result: SendMessageResult, asked: MessageView) => void): RunActions {
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
    async (asked: MessageView) => {
      setRetrying(asked.runId);
      setFailure(null);
      try {
        onAccepted(await requestJson(`/api/t/${tenantSlug}/runs/${asked.runId}/retry`, sendMessageResult, { method: 'POST' }), asked);
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
    retry: useCallback((asked: MessageView) => void retry(asked), [retry]),
    retrying,
    failure,
  };
}
