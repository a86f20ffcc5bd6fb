import { application } from '#lib/composition/index.ts';
import { apiKeyRoute, methods } from '#lib/http/index.ts';

const serve = apiKeyRoute({ permission: 'capability:invoke', handle: ({ actor, request }) => application().serveMcp(actor, request) });

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: serve, POST: serve, DELETE: serve });
