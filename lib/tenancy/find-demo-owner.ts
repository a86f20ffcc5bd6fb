import type { Id } from '#lib/kernel/index.ts';
import { DEMO_PEOPLE, DEMO_SLUG } from './domain/demo.ts';
import type { PlatformStores, PlatformUnitOfWork } from './ports.ts';

/** The demo tenant, and the person whom "Open the demo" signs in; null where there is no demo. */
export const findDemoOwner =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<PlatformStores> }) =>
  (): Promise<{ tenantId: Id<'tenant'>; userId: Id<'user'> } | null> =>
    deps.platformUnitOfWork.within({}, async ({ tenants, users }) => {
      const tenant = await tenants.findBySlug(DEMO_SLUG);
      const user = tenant?.isDemo ? await users.findByEmail(DEMO_PEOPLE[0]?.email ?? '') : null;
      return tenant && user ? { tenantId: tenant.id, userId: user.id } : null;
    });
