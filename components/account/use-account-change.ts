import { useState } from 'react';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';

interface AccountChange {
  name?: string;
  locale?: 'en' | 'zh-CN';
  theme?: 'light' | 'dark' | null;
  timeZone?: string | null;
}

/** Changes the account; gives whether it did, and what went wrong the last time. */
export function useAccountChange() {
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const change = async (body: AccountChange) => {
    setFailure(null);
    try {
      await requestDone('/api/account', { method: 'PATCH', body });
      return true;
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      return false;
    }
  };
  return { change, failure };
}
