import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, fileAnswer, idParameter, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'audit:export',
    params: z.object({ export: idParameter('export') }),
    handle: ({ actor, params: { export: id } }) => application().downloadExport(actor, id),
    respond: ({ made, pieces }) => fileAnswer({ ...made, pieces: pieces() }),
  }),
});
