import { requestJson } from '#components/api/request.ts';
import { type SendMessageResult, sendMessageResult } from '#lib/conversations/contract.ts';
import type { Locale } from '#lib/i18n/index.ts';

interface Outgoing {
  tenantSlug: string;
  sessionId: string;
  text: string;
  /** The message it follows, null for none; absent for the first of a new chat. */
  parentId?: string | null;
  locale: Locale;
  /** Makes a repeated sending the same message. */
  idempotencyKey: string;
}

/** Sends a message and starts its run. Throws `RequestFailure`; it may be called again with the same key. */
export function sendMessage({ tenantSlug, sessionId, text, parentId, locale, idempotencyKey }: Outgoing): Promise<SendMessageResult> {
  return requestJson(`/api/t/${tenantSlug}/sessions/${sessionId}/messages`, sendMessageResult, {
    method: 'POST',
    body: { text, parentId, locale, timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    idempotencyKey,
  });
}
