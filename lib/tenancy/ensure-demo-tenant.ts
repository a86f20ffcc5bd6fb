import type { Id, UnitOfWork } from '#lib/kernel/index.ts';
import { DEMO_PEOPLE, DEMO_SLUG } from './domain/demo.ts';
import { foundTenant } from './found-tenant.ts';
import type { PasswordHasher, PlatformStores, PlatformUnitOfWork, TenancyStores } from './ports.ts';

/**
 * The demo tenant and its people exist afterwards, and `password` opens each account. Changes nothing else when they are
 * there already. Returns null when a tenant that is no demo has the slug.
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
    const { id, slug } = await foundTenant(deps, {
      slug: DEMO_SLUG,
      name: 'Demo campus',
      isDemo: true,
      founders: DEMO_PEOPLE.map(({ email, name, role }) => ({ role, account: { email, name, passwordHash, isOperator: false } })),
      actor: { kind: 'system', id: 'bailiwick' },
    });
    return { tenantId: id, slug, email, isNew: true };
  };

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
