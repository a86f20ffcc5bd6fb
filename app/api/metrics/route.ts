import { methods, publicRoute, requireMetricsReader } from '#lib/http/index.ts';
import { metrics } from '#lib/telemetry/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: publicRoute({
    handle: async ({ request }) => {
      requireMetricsReader(request.headers);
      return metrics.read();
    },
    respond: (text) => new Response(text, { headers: { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' } }),
  }),
});
