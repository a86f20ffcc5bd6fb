import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { accountRoute, idParameter, methods } from '#lib/http/index.ts';

const params = z.object({ key: idParameter('apiKey') });

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: accountRoute({ params, handle: ({ account, params: { key } }) => application().endProgram(account, key) }),
});
