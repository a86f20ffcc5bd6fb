import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A secret in the form of Standard Webhooks: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The headers of a message (Standard Webhooks 1.0): HMAC-SHA256 over `id.timestamp.body`, once for each secret that serves, so
 * that a receiver may change to a new one when it likes.
 */
export function signWebhook(
  body: string,
  { id, at, secrets }: { id: string; at: Date; secrets: readonly string[] },
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
