import { authRuntime, handleNextAuth } from '#lib/auth/index.ts';
import { toErrorResponse } from './error-response.ts';
import { readFormBody } from './read-body.ts';
import { isMutating, requireOwnOrigin } from './require-own-origin.ts';
import { serve } from './serve.ts';

/** `/api/auth/...`: next-auth's protocol, with refusals in the API's own form for those who ask for JSON. */
export const nextAuthRoute = serve(async (request, _params, traceId) => {
  const runtime = authRuntime();
  requireOwnOrigin(request, runtime.config.publicUrl, 'public');
  const body = isMutating(request.method) ? await readFormBody(request) : {};
  const answer = await handleNextAuth(runtime, request, body);
  if ('response' in answer) return answer.response;
  return toErrorResponse(answer.refused.error, traceId, { url: answer.refused.url });
});
