import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '#lib/kernel/index.ts';

/** Text sealed under a key of this deployment. `keyId` names the key, so that a changed secret is noticed and not misread. */
export interface Sealed {
  readonly keyId: string;
  /** Base64 of nonce, tag and ciphertext. */
  readonly box: string;
}

export interface SecretBox {
  seal(plain: string, context: string): Sealed;
  /** Throws `conflict` when another key sealed it, and when text or context were changed. */
  open(sealed: Sealed, context: string): string;
}

/**
 * AES-256-GCM under a key derived from the deployment's secret (HKDF, RFC 5869). `context` is authenticated with the text: a
 * box moved to another row does not open.
 */
export function createSecretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, 'bailiwick', 'secret-box-1', 32));
  const keyId = Buffer.from(hkdfSync('sha256', secret, 'bailiwick', 'secret-box-id', 6)).toString('hex');
  return {
    seal(plain, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return { keyId, box: Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64') };
    },
    open(sealed, context) {
      if (sealed.keyId !== keyId) {
        throw new AppError({ code: 'conflict', message: 'This key was stored under another BAILIWICK_SECRET. Enter it again.' });
      }
      const bytes = Buffer.from(sealed.box, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(12, 28));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw new AppError({ code: 'conflict', message: 'A stored key cannot be read. Enter it again.', cause: error });
      }
    },
  };
}
