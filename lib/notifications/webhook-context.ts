import type { Id } from '#lib/kernel/index.ts';

/** What a webhook's secret is sealed for: it opens for this workspace alone. */
export function webhookContext(tenantId: Id<'tenant'>): string {
  return `webhook:${tenantId}`;
}
