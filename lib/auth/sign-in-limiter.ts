import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#lib/kernel/index.ts';
import type { SignInLimiter } from './ports.ts';

/** One address may try that many accounts' worth of attempts: an office behind one address signs in too. */
const ACCOUNTS_PER_ADDRESS = 10;

/** Counts in the table `rate_limit`, so that the limit holds over all processes and restarts. `client`: see `db/pg-shape.ts`. */
export function createSignInLimiter(options: { client: object; attempts: number; windowMs: number }): SignInLimiter {
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: options.client,
      storeType: 'client',
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix,
      points,
      duration: Math.ceil(options.windowMs / 1000),
    });
  const ofPair = limiter('sign-in', options.attempts);
  const ofAddress = limiter('sign-in-address', options.attempts * ACCOUNTS_PER_ADDRESS);
  return {
    consume: (attempt) => orRefused(Promise.all([ofPair.consume(keyOf(attempt)), ofAddress.consume(attempt.ip)])),
    async reset(attempt) {
      await Promise.all([ofPair.delete(keyOf(attempt)), ofAddress.reward(attempt.ip)]);
    },
    consumeOf: (ip) => orRefused(ofAddress.consume(ip)),
    async resetOf(ip) {
      await ofAddress.reward(ip);
    },
  };
}

async function orRefused(consumed: Promise<unknown>): Promise<void> {
  try {
    await consumed;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new AppError({
      code: 'rate_limited',
      message: `Too many attempts to sign in. Try again in ${retryAfterSeconds} seconds.`,
      details: { retryAfterSeconds },
    });
  }
}

/** Hashed: the table of counters is no list of addresses, and keys stay short. */
function keyOf({ email, ip }: { email: string; ip: string }): string {
  return createHash('sha256').update(`${email} ${ip}`).digest('hex').slice(0, 32);
}
