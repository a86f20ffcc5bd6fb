import { z } from 'zod';
import { methods, publicRoute } from '#lib/http/index.ts';

/** The process answers. Whether it can work is `readyz`'s to say. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: publicRoute({ response: z.object({ status: z.literal('ok') }), handle: async () => ({ status: 'ok' }) }),
});
