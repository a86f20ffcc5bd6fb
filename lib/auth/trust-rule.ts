import type { Config } from '#lib/config/index.ts';
import { isLoopback } from './loopback.ts';
import { findPeer } from './peer.ts';
import { requestHost } from './request-host.ts';

/**
 * Whether whoever sends this sits at the machine itself: the server is bound to loopback and means to be reached there, the
 * connection comes from there, names a loopback host, and nothing says that it was passed on. Only then may the first
 * workspace be created without a code, or the demo opened without a password.
 */
export function isTrustedByAddress(config: Pick<Config, 'host' | 'publicUrl'>, headers: Headers): boolean {
  const peer = findPeer(headers);
  return (
    isLoopback(config.host) &&
    isLoopback(config.publicUrl.hostname) &&
    peer !== null &&
    isLoopback(peer.address) &&
    !peer.isForwarded &&
    isLoopback(hostnameOf(requestHost(headers)))
  );
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? '';
}
