'use client';

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { type RunStream, SharedStream, tenantStreamUrl } from './shared-stream.ts';
import type { ConnectionStatus } from './stream-connection.ts';

const LiveContext = createContext<SharedStream | null>(null);

/** Gives the pages below it the live events of one workspace. */
export function LiveScope({ tenantSlug, children }: { tenantSlug: string; children: ReactNode }) {
  const [stream, setStream] = useState<SharedStream | null>(null);
  useEffect(() => {
    const opened = new SharedStream({
      name: `bw-live-${tenantSlug}`,
      urlFor: (positions) => tenantStreamUrl(tenantSlug, positions),
      // Both are missing where a page is not served securely, as types do not say.
      locks: navigator.locks as LockManager | undefined,
      ...(typeof BroadcastChannel === 'undefined' ? {} : { openChannel: (name: string) => new BroadcastChannel(name) }),
    });
    setStream(opened);
    return () => opened.close();
  }, [tenantSlug]);
  return <LiveContext value={stream}>{children}</LiveContext>;
}

/** The live events, or null until the browser has taken over the page. */
export function useRunStream(): RunStream | null {
  return useContext(LiveContext);
}

const IDLE: ConnectionStatus = { state: 'idle' };

export function useConnection(): { status: ConnectionStatus; retryNow: () => void } {
  const stream = useContext(LiveContext);
  const status = useSyncExternalStore(
    (listener) => stream?.onStatusChange(listener) ?? (() => undefined),
    () => stream?.status ?? IDLE,
    () => IDLE,
  );
  return { status, retryNow: () => stream?.retryNow() };
}
