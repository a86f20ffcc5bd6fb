import { AppError, type Clock, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import type { Account, ApiKey, PlatformUnitOfWork, TenantStore } from '#lib/tenancy/index.ts';
import type { ProgramView } from './contract.ts';
import type { OAuthStores, OAuthTenantStores } from './ports.ts';

interface Dependencies {
  readonly platformUnitOfWork: PlatformUnitOfWork<OAuthStores & { readonly tenants: TenantStore }>;
  readonly unitOfWork: UnitOfWork<OAuthTenantStores>;
  readonly clock: Clock;
}

/** Programs that the person lets act for them, in every workspace of theirs, newest first. */
export const listPrograms =
  (deps: Dependencies) =>
  async ({ userId }: Pick<Account, 'userId'>): Promise<{ items: ProgramView[] }> => {
    const programs = await findPrograms(deps, userId);
    return {
      items: programs.map(({ tenant, key }) => ({
        id: key.id,
        name: key.name,
        workspace: tenant.name,
        allowedAt: key.createdAt.toISOString(),
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      })),
    };
  };

/** Ends what a program may do, at once. Throws `not_found` for one that is not the person's own, and for one that has ended. */
export const endProgram =
  (deps: Dependencies) =>
  async ({ userId }: Pick<Account, 'userId'>, id: Id<'apiKey'>): Promise<void> => {
    const program = (await findPrograms(deps, userId)).find(({ key }) => key.id === id);
    if (!program) throw new AppError({ code: 'not_found', message: 'There is no such program.' });
    await deps.unitOfWork.within({ tenantId: program.tenant.id, userId }, async ({ apiKeys, audit }) => {
      await apiKeys.revoke(id, deps.clock.now());
      await audit.record({
        type: 'api-key.revoked',
        actor: { kind: 'user', id: userId },
        target: { kind: 'api-key', id, name: program.key.name },
      });
    });
  };

async function findPrograms({ platformUnitOfWork, unitOfWork }: Dependencies, userId: Id<'user'>) {
  const { keys, tenants } = await platformUnitOfWork.within({ userId }, async (stores) => ({
    keys: await stores.oauth.listKeysOf(userId),
    tenants: await stores.tenants.listOfUser(userId),
  }));
  const found = await Promise.all(
    tenants.map(async (tenant) => {
      const own = keys.filter(({ tenantId }) => tenantId === tenant.id);
      if (own.length === 0) return [];
      const read = await unitOfWork.within({ tenantId: tenant.id, userId }, ({ apiKeys }) =>
        Promise.all(own.map(({ apiKeyId }) => apiKeys.find(apiKeyId))),
      );
      return read.filter((key): key is ApiKey => key !== null && key.revokedAt === null).map((key) => ({ tenant, key }));
    }),
  );
  return found.flat().sort((a, b) => b.key.createdAt.getTime() - a.key.createdAt.getTime());
}
