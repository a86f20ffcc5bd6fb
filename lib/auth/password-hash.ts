import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordHasher } from '#lib/tenancy/index.ts';

const argon2Async = promisify(argon2);

/** Of OWASP's equivalent choices for argon2id the one with the least memory: many people may sign in at once. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** What is compared with where there is nothing to compare with, so that the answer takes as long. */
const NO_ONE = format(COST, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

/** argon2id in PHC text form; Node's own implementation, which works off the main thread. */
export const passwordHasher: PasswordHasher = {
  async hash(password) {
    const salt = randomBytes(SALT_BYTES);
    return format(COST, salt, await derive(password, salt, COST, HASH_BYTES));
  },
  async verify(password, hash) {
    const stored = parse(hash ?? NO_ONE) ?? parse(NO_ONE);
    if (!stored) return false;
    const derived = await derive(password, stored.salt, stored.cost, stored.hash.length);
    return timingSafeEqual(derived, stored.hash) && hash !== null;
  },
};

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Composed characters: the same password typed on two keyboards must be the same bytes. */
function derive(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  return argon2Async('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce, ...cost, tagLength });
}

function format({ memory, passes, parallelism }: Cost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

function parse(text: string): { cost: Cost; salt: Buffer; hash: Buffer } | null {
  const [, memory, passes, parallelism, salt, hash] = PHC.exec(text) ?? [];
  if (!salt || !hash) return null;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}
