import type { Account } from './domain/account.ts';
import type { PlatformStores, PlatformUnitOfWork } from './ports.ts';

/** The tenants in which the person may act: where a sign-in can go on to. */
export const listTenants =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<PlatformStores> }) =>
  async (account: Pick<Account, 'userId'>): Promise<{ slug: string; name: string; isDemo: boolean }[]> =>
    deps.platformUnitOfWork.within({ userId: account.userId }, async ({ tenants }) =>
      (await tenants.listOfUser(account.userId)).map(({ slug, name, isDemo }) => ({ slug, name, isDemo })),
    );
