'use client';

import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { type RunStream, SharedStream, tenantStreamUrl } from './shared-stream.ts';
import type { ConnectionStatus } from './stream-connection.ts';

/** One a workspace, for as long as the page lives: without a run to follow it holds no connection. */
const streams = new Map<string, SharedStream>();

function streamOf(tenantSlug: string): SharedStream {
  const open = streams.get(tenantSlug) ?? openStream(tenantSlug);
  streams.set(tenantSlug, open);
  return open;
}

function openStream(tenantSlug: string): SharedStream {
  return new SharedStream({
    name: `bw-live-${tenantSlug}`,
    urlFor: (positions) => tenantStreamUrl(tenantSlug, positions),
    // Both are missing where a page is not served securely.
    ...('locks' in navigator ? { locks: navigator.locks } : {}),
    ...(typeof BroadcastChannel === 'undefined' ? {} : { openChannel: (name: string) => new BroadcastChannel(name) }),
  });
}

const LiveContext = createContext<string | null>(null);

/** Gives the pages below it the live events of one workspace. */
export function LiveScope({ tenantSlug, children }: { tenantSlug: string; children: ReactNode }) {
  return <LiveContext value={tenantSlug}>{children}</LiveContext>;
}

/** The live events, or null until the browser has taken over the page. */
export function useRunStream(): RunStream | null {
  return useSharedStream();
}

const IDLE: ConnectionStatus = { state: 'idle' };

export function useConnection(): { status: ConnectionStatus; retryNow: () => void } {
  const stream = useSharedStream();
  const status = useSyncExternalStore(
    (listener) => stream?.onStatusChange(listener) ?? (() => undefined),
    () => stream?.status ?? IDLE,
    () => IDLE,
  );
  return { status, retryNow: () => stream?.retryNow() };
}

function useSharedStream(): SharedStream | null {
  const tenantSlug = useContext(LiveContext);
  return useSyncExternalStore(
    neverChanges,
    () => (tenantSlug === null ? null : streamOf(tenantSlug)),
    () => null,
  );
}

function neverChanges(): () => void {
  return () => undefined;
}
