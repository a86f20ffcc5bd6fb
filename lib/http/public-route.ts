import { authRuntime, isTrustedByAddress, readCredentials } from '#lib/auth/index.ts';
import { isAppError } from '#lib/kernel/index.ts';
import type { Account } from '#lib/tenancy/index.ts';
import { requireOwnOrigin } from './require-own-origin.ts';
import { type AnswerShape, type PartSchemas, type Parts, readParts, toAnswer } from './route-parts.ts';
import { withShape } from './route-shape.ts';
import { type RouteHandler, serve } from './serve.ts';

export interface PublicCall<Params, Query, Body> extends Parts<Params, Query, Body> {
  readonly request: Request;
  readonly traceId: string;
  /** Whether the trust rule holds for the sender. */
  readonly isTrusted: boolean;
  /** Who is signed in, if anyone. */
  readonly findAccount: () => Promise<Account | null>;
}

/** One method of a route that is open to everyone. What changes something must still come from no other site's page. */
export function publicRoute<Result, Params = undefined, Query = undefined, Body = undefined>(
  route: PartSchemas<Params, Query, Body> &
    AnswerShape & {
      readonly handle: (call: PublicCall<Params, Query, Body>) => Promise<Result>;
      readonly respond?: (result: Result) => Response | Promise<Response>;
    },
): RouteHandler {
  const handler = serve(async (request, params, traceId) => {
    const { config } = authRuntime();
    requireOwnOrigin(request, config.publicUrl, 'public');
    const result = await route.handle({
      ...(await readParts(route, request, params)),
      request,
      traceId,
      isTrusted: isTrustedByAddress(config, request.headers),
      findAccount: () => findAccount(request.headers),
    });
    return route.respond ? await route.respond(result) : toAnswer(result, route);
  });
  return withShape(handler, { access: 'public', ...route });
}

async function findAccount(headers: Headers): Promise<Account | null> {
  const runtime = authRuntime();
  try {
    return await runtime.getAccount(await readCredentials(runtime.config, headers));
  } catch (error) {
    if (isAppError(error) && error.code === 'unauthenticated') return null;
    throw error;
  }
}
