import { methods, publicRoute } from '#lib/http/index.ts';

/** The process answers. Whether it can work is `readyz`'s to say. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: publicRoute({ handle: async () => ({ status: 'ok' }) }) });
