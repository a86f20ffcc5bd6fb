import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 5 * 60;

/**
 * Whether a message is from your workspace and is fresh. `headers` as Node gives them, `body` as it came over the wire (not parsed
 * and printed again), `secret` as it was shown: whsec_… After a true, remember `webhook-id` for a day: a message that was not
 * answered is sent again under the same one.
 */
export function verifyWebhook(headers, body, secret, nowMs = Date.now()) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) return false;
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_S)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
