import { application } from '#lib/composition/index.ts';
import { defineRoute, fileAnswer, methods } from '#lib/http/index.ts';
import { usageQuery } from '#lib/record/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'budget:read',
    query: usageQuery,
    handle: ({ actor, query }) => application().exportModelUsage(actor, query),
    respond: ({ fileName, text }) => fileAnswer({ fileName, format: 'csv', byteCount: Buffer.byteLength(text), pieces: inOnePiece(text) }),
  }),
});

async function* inOnePiece(text: string): AsyncGenerator<string, void, undefined> {
  yield text;
}
