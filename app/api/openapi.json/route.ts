import { z } from 'zod';
import { methods, publicRoute } from '#lib/http/index.ts';
import description from './openapi.json' with { type: 'json' };

/** The description of the API, as `npm run openapi` wrote it. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: publicRoute({ response: z.object({ openapi: z.string() }), handle: async () => description, respond: (api) => Response.json(api) }),
});
