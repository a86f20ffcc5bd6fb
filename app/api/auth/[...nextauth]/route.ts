import { methods, nextAuthRoute } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: nextAuthRoute, POST: nextAuthRoute });
