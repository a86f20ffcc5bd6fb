import { application } from '#lib/composition/index.ts';
import { methods, publicRoute } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: publicRoute({
    handle: () => application().checkReadiness(),
    respond: (readiness) => Response.json(readiness, { status: readiness.isReady ? 200 : 503, headers: { 'cache-control': 'no-store' } }),
  }),
});
