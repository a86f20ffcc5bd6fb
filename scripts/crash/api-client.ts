import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The API, asked as a client that does not give up: what is refused or cut off by a dying process is asked again. */
export interface ApiClient {
  /**
   * Sends until some process answers with less than 500, or until `untilMs`, which may move meanwhile (then it throws). `path`
   * begins after the tenant. The first attempt goes to `first` where it is given and lives.
   */
  send(request: {
    method: 'GET' | 'POST';
    path: string;
    body?: object;
    idempotencyKey?: string;
    first?: string | undefined;
    untilMs: () => number;
  }): Promise<ApiAnswer>;
  /** How often an answer was lost or put off and the request sent again. */
  readonly repeats: () => number;
  /** Answers that no crash excuses: a server that cannot reach its database says 503. */
  readonly surprises: () => readonly string[];
}

/** A process that hangs (stopped, say) is left for another after this long. */
const ATTEMPT_MS = 3_000;

/** @param addresses the processes that are thought to live, at each attempt anew */
export function createApiClient(options: { tenant: string; apiKey: string; addresses: () => readonly string[] }): ApiClient {
  const surprises: string[] = [];
  let repeats = 0;
  let turn = 0;
  return {
    repeats: () => repeats,
    surprises: () => surprises,
    async send({ method, path, body, idempotencyKey, first, untilMs }) {
      let last = 'no process was there to be asked';
      let wanted = first;
      while (Date.now() < untilMs()) {
        const addresses = options.addresses();
        const address = wanted !== undefined && addresses.includes(wanted) ? wanted : addresses[(turn += 1) % addresses.length];
        wanted = undefined;
        if (address !== undefined) {
          const outcome = await attempt(`${address}/api/t/${options.tenant}${path}`, {
            method,
            headers: {
              authorization: `Bearer ${options.apiKey}`,
              ...(body && { 'content-type': 'application/json' }),
              ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
            },
            ...(body && { body: JSON.stringify(body) }),
          });
          if (typeof outcome !== 'string' && outcome.status < 500) return outcome;
          if (typeof outcome !== 'string' && outcome.status !== 503) {
            surprises.push(`${method} ${path}: ${outcome.status} ${JSON.stringify(outcome.body)}`);
          }
          last = typeof outcome === 'string' ? outcome : `${outcome.status} ${JSON.stringify(outcome.body)}`;
        }
        repeats += 1;
        await sleep(60);
      }
      throw new Error(`${method} ${path} was never answered: ${last}`);
    },
  };
}

async function attempt(url: string, init: RequestInit): Promise<ApiAnswer | string> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ATTEMPT_MS) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return String(cause);
  }
}

const acceptedBody = z.object({ runId: z.string() });
const sessionBody = z.object({ id: z.string() });
const refusalBody = z.object({ code: z.string() });

/** The run of an accepted message. Throws what was answered instead. */
export function readAccepted(answer: ApiAnswer): string {
  if (answer.status !== 202) throw new Error(`the message was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return acceptedBody.parse(answer.body).runId;
}

export function readSession(answer: ApiAnswer): string {
  if (answer.status !== 201) throw new Error(`no session was made: ${answer.status} ${JSON.stringify(answer.body)}`);
  return sessionBody.parse(answer.body).id;
}

/** The code of a refusal; null when it was none. */
export function findRefusal(answer: ApiAnswer): string | null {
  return answer.status < 400 ? null : refusalBody.parse(answer.body).code;
}

const stopBody = z.object({ state: z.string() });

/** The run's state when its stop was answered. */
export function readStop(answer: ApiAnswer): string {
  if (answer.status !== 202) throw new Error(`the stop was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return stopBody.parse(answer.body).state;
}
