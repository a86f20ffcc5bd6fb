import { requestJson } from '#components/api/request.ts';
import { type SendMessageResult, sendMessageResult } from '#lib/conversations/contract.ts';
import type { Locale } from '#lib/i18n/index.ts';

interface Outgoing {
  tenantSlug: string;
  sessionId: string;
  text: string;
  locale: Locale;
  /** Makes a repeated sending the same message. */
  idempotencyKey: string;
}

/** Sends a message and starts its run. Throws `RequestFailure`; it may be called again with the same key. */
export function sendMessage({ tenantSlug, sessionId, text, locale, idempotencyKey }: Outgoing): Promise<SendMessageResult> {
  return requestJson(`/api/t/${tenantSlug}/sessions/${sessionId}/messages`, sendMessageResult, {
    method: 'POST',
    body: { text, locale, timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    idempotencyKey,
  });
}
