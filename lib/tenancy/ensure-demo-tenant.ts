import { type Id, isAppError, type UnitOfWork } from '#lib/kernel/index.ts';
import { DEMO_PEOPLE, DEMO_SLUG } from './domain/demo.ts';
import { type Founder, foundTenant } from './found-tenant.ts';
import type { PasswordHasher, PlatformStores, PlatformUnitOfWork, TenancyStores } from './ports.ts';

/**
 * The demo tenant and its people exist afterwards, and `password` opens each account. Changes nothing else when they are
 * there already. Returns null when a tenant that is no demo has the slug, and while an earlier demo is being removed.
 */
export const ensureDemoTenant =
  (deps: {
    unitOfWork: UnitOfWork<TenancyStores>;
    platformUnitOfWork: PlatformUnitOfWork<PlatformStores>;
    passwordHasher: PasswordHasher;
  }) =>
  async ({ password }: { password: string }): Promise<{ tenantId: Id<'tenant'>; slug: string; email: string; isNew: boolean } | null> => {
    const email = DEMO_PEOPLE[0]?.email ?? '';
    const existing = await deps.platformUnitOfWork.within({}, ({ tenants }) => tenants.findBySlug(DEMO_SLUG));
    if (existing && !existing.isDemo) return null;
    if (existing) {
      await openAccounts(deps, password);
      return { tenantId: existing.id, slug: existing.slug, email, isNew: false };
    }
    const passwordHash = await deps.passwordHasher.hash(password);
    const founded = await foundTenant(deps, {
      slug: DEMO_SLUG,
      name: 'Demo campus',
      isDemo: true,
      founders: await demoFounders(deps, passwordHash),
      actor: { kind: 'system', id: 'bailiwick' },
    }).catch((error: unknown) => {
      if (isAppError(error) && error.code === 'slug_taken') return null;
      throw error;
    });
    if (founded) await openAccounts(deps, password);
    return founded && { tenantId: founded.id, slug: founded.slug, email, isNew: true };
  };

/** Their accounts outlive a demo that was deleted: they come back with those. */
async function demoFounders(deps: { platformUnitOfWork: PlatformUnitOfWork<PlatformStores> }, passwordHash: string): Promise<Founder[]> {
  return deps.platformUnitOfWork.within({}, async ({ users }) => {
    const founders: Founder[] = [];
    for (const { email, name, role } of DEMO_PEOPLE) {
      const existing = await users.findByEmail(email);
      founders.push({ role, account: existing ? { userId: existing.id } : { email, name, passwordHash, isOperator: false } });
    }
    return founders;
  });
}

/** The file that held the password may be gone, or come from another database. */
async function openAccounts(
  deps: { platformUnitOfWork: PlatformUnitOfWork<PlatformStores>; passwordHasher: PasswordHasher },
  password: string,
): Promise<void> {
  for (const { email } of DEMO_PEOPLE) {
    const account = await deps.platformUnitOfWork.within({}, async ({ users }) => {
      const user = await users.findByEmail(email);
      return user ? { userId: user.id, passwordHash: await users.findPasswordHash(user.id) } : null;
    });
    if (!account || (await deps.passwordHasher.verify(password, account.passwordHash))) continue;
    const passwordHash = await deps.passwordHasher.hash(password);
    await deps.platformUnitOfWork.within({}, ({ users }) => users.setPasswordHash(account.userId, passwordHash));
  }
}
