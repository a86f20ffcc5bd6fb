import { createHash } from 'node:crypto';
import pg from 'pg';

/** A long-lived connection keeps the plans of at most so many statements; lists of changing length make new ones. */
const MOST_STATEMENTS = 100;

/** How long an open transaction of the engine may do nothing before the server ends it, as the engine would set it itself. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Gives statements with parameters a name, so that the server parses and plans each once a connection. The engine sends its
 * statements without names, and then planning takes longer than what is planned.
 */
class PreparingClient extends pg.Client {
  readonly #names = new Map<string, string>();

  // The driver's overloads are seven; the engine calls with text and values alone.
  override query(...args: never[]): never {
    const [text, values, ...others] = args as readonly unknown[];
    const send = super.query.bind(this) as (...args: readonly unknown[]) => never;
    const name = typeof text === 'string' && Array.isArray(values) ? this.#nameOf(text) : null;
    return name === null ? send(text, values, ...others) : send({ name, text, values }, ...others);
  }

  #nameOf(text: string): string | null {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_STATEMENTS) return known ?? null;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    this.#names.set(text, name);
    return name;
  }
}

/** A pool for the engine whose connections prepare what they are asked for. Whoever makes it ends it. */
export function createPreparedPool(options: {
  databaseUrl: string;
  applicationName: string;
  max: number;
  onError: (error: Error) => void;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    application_name: options.applicationName,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    max: options.max,
    Client: PreparingClient,
  });
  pool.on('error', options.onError);
  return pool;
}
