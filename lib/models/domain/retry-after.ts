/** The longest wait a provider may ask for; beyond it the call fails with what it asked. */
export const LONGEST_WAIT_MS = 60_000;

/**
 * What `Retry-After` (seconds or an HTTP date, RFC 9110) or `retry-after-ms` ask for, in milliseconds from `now`. Null when
 * neither says anything usable; a date that has passed is 0, a negative number says nothing.
 */
export function readRetryAfter(headers: Readonly<Record<string, string | undefined>>, now: Date): number | null {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value?.trim()]));
  const inMs = given['retry-after-ms'];
  if (inMs !== undefined && /^\d+(\.\d+)?$/.test(inMs)) return Number(inMs);
  const header = given['retry-after'];
  if (header === undefined || header === '') return null;
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000;
  if (/^[-+]?\d/.test(header) && !/[a-z]/i.test(header)) return null;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/**
 * How long to wait before attempt `next` (2 is the first repeat): what the provider asked for, else doubling from half a
 * second with up to a quarter of jitter. Null when it asks for longer than is waited.
 */
export function nextWaitMs(options: { next: number; retryAfterMs: number | null; random: () => number }): number | null {
  if (options.retryAfterMs !== null) return options.retryAfterMs > LONGEST_WAIT_MS ? null : options.retryAfterMs;
  const base = Math.min(500 * 2 ** (options.next - 2), 8_000);
  return Math.round(base * (1 + options.random() * 0.25));
}
