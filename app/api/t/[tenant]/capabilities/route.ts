import { z } from 'zod';
import { application } from '#lib/composition/index.ts';
import { defineRoute, methods } from '#lib/http/index.ts';

const localisedText = z.object({ en: z.string(), 'zh-CN': z.string() });

/** What is known of a capability besides may grow. */
const capabilityPage = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      version: z.string(),
      status: z.enum(['active', 'deprecated', 'disabled']),
      domain: z.string(),
      title: localisedText,
      description: localisedText,
      inputSchema: z.looseObject({ type: z.literal('object') }),
      requiredPermissions: z.array(z.string()),
      sideEffect: z.enum(['read', 'write', 'destructive']),
      idempotency: z.enum(['idempotent', 'keyed', 'none']),
      timeoutMs: z.number(),
    }),
  ),
});

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: defineRoute({
    permission: 'capability:read',
    response: capabilityPage,
    handle: async ({ actor }) => ({ items: await application().listCapabilities(actor) }),
  }),
});
