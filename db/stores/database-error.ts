import { AppError } from '#lib/kernel/index.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** Drizzle wraps the database's error: what Postgres said is its cause. */
function findCode(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

/** Runs a write; a row that is there already becomes the error that `taken` makes. */
export async function orIfTaken<Result>(write: PromiseLike<Result>, taken: () => Error): Promise<Result> {
  return translating(write, UNIQUE_VIOLATION, taken);
}

/** Runs a removal; a row that others refer to becomes the error that `inUse` makes. */
export async function orIfInUse<Result>(write: PromiseLike<Result>, inUse: () => Error): Promise<Result> {
  return translating(write, FOREIGN_KEY_VIOLATION, inUse);
}

async function translating<Result>(write: PromiseLike<Result>, code: string, make: () => Error): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    throw findCode(error) === code ? make() : error;
  }
}

/** Whether an error says that the database is away: stopped, starting, or the connection lost. */
export function isDatabaseAway(error: unknown): boolean {
  // Classes 08 and 57P of Postgres, and what the driver and the operating system say.
  return /^(08|57P)|^CONNECTION_|^CONNECT_|^ECONN|^EPIPE$|^ETIMEDOUT$/.test(findCode(error));
}

/** A database that is away as `unavailable`; any other error as it was. */
export function asUnavailable(error: unknown): unknown {
  return isDatabaseAway(error) ? new AppError({ code: 'unavailable', message: 'The database cannot be reached.', cause: error }) : error;
}
