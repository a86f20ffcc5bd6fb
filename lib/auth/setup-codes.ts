import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SetupCodes } from '#lib/tenancy/index.ts';

/** 20 random bytes as four groups that can be read aloud. */
export const setupCodes: SetupCodes = {
  mint() {
    const code = (randomBytes(20).toString('hex').match(/.{10}/g) ?? []).join('-');
    return { code, hash: digest(code).toString('hex') };
  },
  matches(code, hash) {
    const expected = Buffer.from(hash, 'hex');
    const given = digest(code);
    return expected.length === given.length && timingSafeEqual(given, expected);
  },
};

/** However it was pasted: spaces, capitals and dashes do not count. */
function digest(code: string): Buffer {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^0-9a-f]/g, ''))
    .digest();
}
