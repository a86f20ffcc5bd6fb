import { Agent, fetch as undiciFetch } from 'undici';
import { AppError } from '#lib/kernel/index.ts';
import type { AddressPolicy, GuardedFetch } from '../ports.ts';
import { createOutboundGuard } from './outbound-guard.ts';

/** A model's longest answer, in chunks of three hundred bytes a token, is about half of it. */
const RESPONSE_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * The one door out: models, graph, sign-in provider, later MCP and A2A. Redirects are errors: each target would be a new
 * decision. Throws `forbidden_address` for an address that may not be called.
 */
export function createGuardedFetch(policy: AddressPolicy): GuardedFetch & { close(): Promise<void> } {
  const guard = createOutboundGuard(policy);
  const agent = new Agent({
    connect: { lookup: guard.lookup },
    // A model may think for long before its first byte and between two.
    headersTimeout: 600_000,
    bodyTimeout: 600_000,
    // Whoever reads keeps what is read: beyond it an answer breaks off (requirement H-24). Doors with less to expect set less.
    maxResponseSize: RESPONSE_LIMIT_BYTES,
  });
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    guard.requireAllowed(url);
    try {
      const response = await undiciFetch(url, { ...(init as object), dispatcher: agent, redirect: 'error' });
      return response as unknown as Response;
    } catch (error) {
      throw findRefusal(error) ?? error;
    }
  };
  return Object.assign(guarded, { close: () => agent.close() });
}

/** The lookup's refusal comes back as the cause of a failed connection. */
function findRefusal(error: unknown): AppError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AppError) return cause;
  return null;
}
