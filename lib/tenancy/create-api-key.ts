import type { z } from 'zod';
import { AppError, type Clock, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { CreateApiKeyResult, createApiKeyBody } from './contract.ts';
import { type Actor, auditedAs, requireOwnRights, requirePermission } from './domain/actor.ts';
import { toApiKeyView } from './list-api-keys.ts';
import { parsePermissions } from './parse-permissions.ts';
import type { ApiKeyMint, TenancyStores } from './ports.ts';
import { requireFound } from './require-found.ts';

/**
 * Makes a key that acts for the actor, within `scopes` and never beyond what the actor's role grants at the time of use.
 * The key itself is in the answer only: what is stored is its hash. Throws `rights_exceeded`, `invalid_request`.
 */
export const createApiKey =
  (deps: { clock: Clock; unitOfWork: UnitOfWork<Pick<TenancyStores, 'apiKeys' | 'audit'>>; apiKeyMint: ApiKeyMint }) =>
  async (actor: Actor, request: z.infer<typeof createApiKeyBody>): Promise<CreateApiKeyResult> => {
    requirePermission(actor, 'api-key:manage');
    const scopes = parsePermissions(request.scopes);
    requireOwnRights(actor, scopes);
    const expiresAt = request.expiresAt ? new Date(request.expiresAt) : null;
    if (expiresAt && expiresAt <= deps.clock.now()) {
      throw new AppError({ code: 'invalid_request', message: 'The key would have expired already.', details: { path: 'expiresAt' } });
    }
    const id = newId('apiKey');
    const { key, hint, hash } = deps.apiKeyMint.mint();
    return deps.unitOfWork.within(actor.scope, async ({ apiKeys, audit }) => {
      await apiKeys.add({ id, name: request.name, hint, hash, userId: actor.scope.userId, scopes, expiresAt });
      await audit.record({
        type: 'api-key.created',
        actor: auditedAs(actor),
        target: { kind: 'api-key', id, name: request.name },
        details: { scopes, expiresAt: expiresAt?.toISOString() ?? null },
      });
      return { key, apiKey: toApiKeyView(requireFound(await apiKeys.find(id))) };
    });
  };
