import type { UnitOfWork } from '#lib/kernel/index.ts';
import type { ApiKeyPage, ApiKeyView, PageQuery } from './contract.ts';
import { type Actor, requirePermission } from './domain/actor.ts';
import type { ApiKey, TenancyStores } from './ports.ts';
import { readCursor, toPage } from './read-cursor.ts';

/** Every key of the tenant, ended ones included, newest first. */
export const listApiKeys =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'apiKeys'>> }) =>
  async (actor: Actor, query: PageQuery): Promise<ApiKeyPage> => {
    requirePermission(actor, 'api-key:manage');
    const before = readCursor('apiKey', query.cursor);
    const rows = await deps.unitOfWork.within(actor.scope, ({ apiKeys }) => apiKeys.list({ before, limit: query.limit + 1 }));
    return toPage(rows, { limit: query.limit, cursorOf: (key) => key.id, view: toApiKeyView });
  };

export function toApiKeyView(key: ApiKey): ApiKeyView {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: [...key.scopes],
    createdBy: key.createdBy.name,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
