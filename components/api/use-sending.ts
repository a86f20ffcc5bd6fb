'use client';

import { useState } from 'react';
import { type RequestFailure, toRequestFailure } from './request.ts';

/** A request that a button or form sends: whether it is under way, and how the last one failed. */
export function useSending(): {
  isSending: boolean;
  failure: RequestFailure | null;
  /** Resolves to whether it succeeded. */
  send: (work: () => Promise<void>) => Promise<boolean>;
  forget: () => void;
} {
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  return {
    isSending,
    failure,
    async send(work) {
      setIsSending(true);
      setFailure(null);
      try {
        await work();
        return true;
      } catch (thrown) {
        setFailure(toRequestFailure(thrown));
        return false;
      } finally {
        setIsSending(false);
      }
    },
    forget: () => setFailure(null),
  };
}
