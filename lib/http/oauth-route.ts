import { authRuntime } from '#lib/auth/index.ts';
import { isOAuthRefusal } from '#lib/oauth/index.ts';
import { toAppError, toErrorResponse } from './error-response.ts';
import { readFormBody } from './read-body.ts';
import { requireOwnOrigin } from './require-own-origin.ts';
import { type RouteHandler, serve } from './serve.ts';

const NO_STORE = { 'cache-control': 'no-store' };

/**
 * One method of a route whose answers and refusals are those of OAuth (RFC 6749 section 5, RFC 7591 section 3.2): programs act on
 * them. What is no refusal of the protocol is answered as everywhere else.
 */
export function oauthRoute(route: {
  readonly status?: number;
  /** `body`: the form, or JSON, as an object. */
  readonly handle: (call: { readonly body: Readonly<Record<string, unknown>> }) => Promise<object>;
}): RouteHandler {
  return serve(async (request, _params, traceId) => {
    try {
      requireOwnOrigin(request, authRuntime().config.publicUrl, 'public');
      const body = await readFormBody(request);
      return Response.json(await route.handle({ body }), { status: route.status ?? 200, headers: NO_STORE });
    } catch (thrown) {
      if (!isOAuthRefusal(thrown)) return toErrorResponse(toAppError(thrown), traceId);
      const { error, message } = thrown;
      return Response.json(
        { error, error_description: message },
        { status: error === 'invalid_client' ? 401 : error === 'temporarily_unavailable' ? 503 : 400, headers: NO_STORE },
      );
    }
  });
}

/** A document that any program may read, from any page: it says where to ask. */
export function discoveryRoute(describe: () => object): RouteHandler {
  return serve(async () => Response.json(describe(), { headers: { 'access-control-allow-origin': '*', 'cache-control': 'max-age=300' } }));
}
