import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { presetView } from '#lib/conversations/contract.ts';
import { defineRoute, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'conversation:read',
    response: z.object({ items: z.array(presetView) }),
    handle: async ({ actor }) => ({ items: await application().listPresets(actor) }),
  }),
});
