import { authRuntime, readCredentials } from '#lib/auth/index.ts';
import { isAppError } from '#lib/kernel/index.ts';
import type { Account } from '#lib/tenancy/index.ts';
import { recordRefusal } from './define-route.ts';
import { requireOwnOrigin } from './require-own-origin.ts';
import { type AnswerShape, type PartSchemas, type Parts, readParts, toAnswer } from './route-parts.ts';
import { withShape } from './route-shape.ts';
import { type RouteHandler, serve } from './serve.ts';

export interface AccountCall<Params, Query, Body> extends Parts<Params, Query, Body> {
  readonly account: Account;
  readonly request: Request;
  readonly traceId: string;
}

/** One method of a route about the signed-in person, outside any tenant. An API key is no person: 401. */
export function accountRoute<Result, Params = undefined, Query = undefined, Body = undefined>(
  route: PartSchemas<Params, Query, Body> & AnswerShape & { readonly handle: (call: AccountCall<Params, Query, Body>) => Promise<Result> },
): RouteHandler {
  const handler = serve(async (request, params, traceId) => {
    const runtime = authRuntime();
    const credentials = await readCredentials(runtime.config, request.headers);
    if (credentials?.kind === 'sign-in') requireOwnOrigin(request, runtime.config.publicUrl, 'cookie');
    const account = await runtime.getAccount(credentials);
    runtime.admit(account);
    try {
      const result = await route.handle({ ...(await readParts(route, request, params)), account, request, traceId });
      return toAnswer(result, route);
    } catch (error) {
      // An operator's right that was lacking: the platform's log takes it.
      if (isAppError(error) && error.code === 'permission_denied') await recordRefusal(runtime, { userId: account.userId }, request, error);
      throw error;
    }
  });
  return withShape(handler, { access: 'account', ...route });
}
