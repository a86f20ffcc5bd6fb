import { lookup as resolve } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, fetch as undiciFetch } from 'undici';
import { AppError } from '#lib/kernel/index.ts';
import type { AddressPolicy, GuardedFetch } from '../ports.ts';

/**
 * The one door out: models, graph, later MCP and A2A. The address is checked at the moment of connecting, on what the name
 * resolved to, so a name that changes its mind between check and use gains nothing. Redirects are errors: each target would
 * be a new decision. Throws `forbidden_address` for an address that may not be called.
 */
export function createGuardedFetch(policy: AddressPolicy): GuardedFetch & { close(): Promise<void> } {
  const agent = new Agent({
    connect: {
      lookup(hostname, options, callback) {
        resolve(hostname, { ...options, all: true }, (error, addresses) => {
          if (error) return callback(error, '', 0);
          const objection = addresses.map(({ address }) => policy.objectTo(address, hostname)).find((reason) => reason !== null);
          if (objection) return callback(refusal(objection), '', 0);
          if (options.all) return callback(null, addresses, 0);
          const [first] = addresses;
          callback(null, first?.address ?? '', first?.family ?? 4);
        });
      },
    },
    // A model may think for long before its first byte and between two.
    headersTimeout: 600_000,
    bodyTimeout: 600_000,
  });
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal(`${url.protocol} addresses are not called.`);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // No name, no lookup: checked here.
    const objection = isIP(host) ? policy.objectTo(host, host) : null;
    if (objection) throw refusal(objection);
    try {
      const response = await undiciFetch(url, { ...(init as object), dispatcher: agent, redirect: 'error' });
      return response as unknown as Response;
    } catch (error) {
      throw findRefusal(error) ?? error;
    }
  };
  return Object.assign(guarded, { close: () => agent.close() });
}

function refusal(message: string): AppError {
  return new AppError({ code: 'forbidden_address', message });
}

/** The lookup's refusal comes back as the cause of a failed connection. */
function findRefusal(error: unknown): AppError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AppError) return cause;
  return null;
}
