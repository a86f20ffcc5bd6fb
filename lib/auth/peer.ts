import { randomBytes } from 'node:crypto';
import diagnosticsChannel from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { oncePerProcess } from '#lib/telemetry/index.ts';
import { isLoopback } from './loopback.ts';

/** Who is at the other end of the connection. */
export interface Peer {
  /** Address of the socket's other end. */
  readonly address: string;
  /** A header says that the request passed through something. */
  readonly isForwarded: boolean;
  /** Whom to count attempts against: the address that a proxy on this machine saw, else the socket's. */
  readonly clientAddress: string;
}

const HEADER = 'x-bailiwick-peer';
const FORWARDING =
  /^(x-forwarded|forwarded$|via$|x-real-ip$|x-client-ip$|x-cluster-client-ip$|cf-connecting-ip$|true-client-ip$|x-original-)/;

/** Nobody outside can write the mark: it begins with this. */
const secret = oncePerProcess('peer-mark', () => randomBytes(24).toString('hex'));

/**
 * Marks every request of this process's HTTP servers with its peer, before anything else sees it. Next fills the
 * `x-forwarded-*` headers in where they are missing and shows a handler no socket: later there is no telling.
 */
export function startPeerMarking(): void {
  oncePerProcess('peer-marking', () => {
    diagnosticsChannel.subscribe('http.server.request.start', (message) => {
      const { request } = message as { request: IncomingMessage };
      request.headers[HEADER] = markOf(peerOf(request));
    });
    return true;
  });
}

/** What the mark says; null where there is none, or one that this process did not write. */
export function findPeer(headers: Headers): Peer | null {
  const mark = headers.get(HEADER) ?? '';
  const [prefix, address, forwarded, clientAddress] = mark.split(' ');
  if (prefix !== secret || !address || !clientAddress) return null;
  return { address, isForwarded: forwarded === 'forwarded', clientAddress };
}

/** For tests that call a handler without a socket. */
export function markPeer(headers: Headers, peer: Peer): void {
  headers.set(HEADER, markOf(peer));
}

function markOf({ address, isForwarded, clientAddress }: Peer): string {
  return `${secret} ${address} ${isForwarded ? 'forwarded' : 'direct'} ${clientAddress}`;
}

function peerOf(request: IncomingMessage): Peer {
  const address = request.socket.remoteAddress ?? 'unknown';
  const isForwarded = Object.keys(request.headers).some((name) => FORWARDING.test(name));
  // Only the last entry was written by the proxy that spoke to us; the others are what its client claimed.
  const seenByProxy = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return {
    address,
    isForwarded,
    clientAddress: seenByProxy && isLoopback(address) && /^[0-9a-fA-F.:]+$/.test(seenByProxy) ? seenByProxy : address,
  };
}
