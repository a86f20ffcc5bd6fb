import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'conversation:read',
    handle: async () => ({ items: application().listPresets() }),
  }),
});
