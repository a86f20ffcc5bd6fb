import { timingSafeEqual } from 'node:crypto';
import { authRuntime, findPeer, isLoopback } from '#lib/auth/index.ts';
import { AppError } from '#lib/kernel/index.ts';

/**
 * Metrics are for the operator's scraper: from this machine, passed on by nobody, or with METRICS_TOKEN as bearer token.
 * Throws `unauthenticated`.
 */
export function requireMetricsReader(headers: Headers): void {
  const token = authRuntime().config.metricsToken;
  const authorization = headers.get('authorization');
  if (token && authorization && isSame(authorization, `Bearer ${token}`)) return;
  const peer = findPeer(headers);
  if (authorization === null && peer && isLoopback(peer.address) && !peer.isForwarded) return;
  throw new AppError({
    code: 'unauthenticated',
    message: 'Metrics are read from the server itself, or with METRICS_TOKEN as bearer token.',
  });
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
