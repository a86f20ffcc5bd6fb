import { type Clock, isAppError, messageOf } from '#lib/kernel/index.ts';
import type { GuardedFetch } from '#lib/outbound/index.ts';
import { readRetryAfterMs } from '../domain/delivery.ts';
import { signWebhook } from '../domain/webhook-signature.ts';
import type { WebhookSender } from '../ports.ts';

const TIMEOUT_MS = 15_000;
/** The receiver says that nothing is to be sent there any more. */
const GONE = 410;

/** Posts through the guarded door; redirects are failures, and of the answer nothing but its status is read. */
export function createWebhookSender({ guardedFetch, clock }: { guardedFetch: GuardedFetch; clock: Clock }): WebhookSender {
  return {
    async send({ url, body, id, secrets }) {
      const text = JSON.stringify(body);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Bailiwick',
        ...signWebhook(text, { id, at: clock.now(), secrets }),
      };
      try {
        const response = await guardedFetch(url, { method: 'POST', headers, body: text, signal: AbortSignal.timeout(TIMEOUT_MS) });
        await response.body?.cancel();
        const { status } = response;
        const detail = `${status} ${response.statusText}`.trim();
        if (response.ok) return { ok: true, status, detail };
        const retryAfterMs = readRetryAfterMs(response.headers.get('retry-after'), clock.now());
        return { ok: false, status, detail, isFinal: status === GONE, retryAfterMs };
      } catch (error) {
        const isRefused = isAppError(error) && error.code === 'forbidden_address';
        return { ok: false, status: null, detail: sayFailure(error), isFinal: isRefused, retryAfterMs: null };
      }
    },
  };
}

/** `fetch failed` tells nobody anything: its cause does. */
function sayFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `No answer within ${TIMEOUT_MS / 1_000} s.`;
  return error instanceof TypeError && error.cause ? messageOf(error.cause) : messageOf(error);
}
