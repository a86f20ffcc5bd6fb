import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods, readBytes } from '#lib/http/index.ts';
import { documentSummaryView } from '#lib/knowledge/contract.ts';
import { FILE_LIMIT_BYTES } from '#lib/knowledge/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: defineRoute({
    permission: 'knowledge:write',
    query: z.object({ name: z.string().trim().min(1).max(255) }),
    response: documentSummaryView,
    status: 201,
    handle: async ({ actor, query, request }) =>
      application().importFile(actor, {
        name: query.name,
        mediaType: request.headers.get('content-type') ?? '',
        bytes: await readBytes(request, FILE_LIMIT_BYTES),
      }),
  }),
});
