import type { z } from 'zod';
import { AppError, type Clock, type UnitOfWork } from '#lib/kernel/index.ts';
import type { createWorkspaceBody } from './contract.ts';
import type { Account } from './domain/account.ts';
import { DEMO_SLUG } from './domain/demo.ts';
import { isReservedSlug } from './domain/reserved-slug.ts';
import { type Founder, foundTenant } from './found-tenant.ts';
import type { PasswordHasher, PlatformStores, PlatformUnitOfWork, SetupCodes, TenancyStores } from './ports.ts';
import { findSetupCodeHashes, withdrawSetupCodes } from './setup-code.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork<TenancyStores>;
  readonly platformUnitOfWork: PlatformUnitOfWork<PlatformStores>;
  readonly passwordHasher: PasswordHasher;
  readonly setupCodes: SetupCodes;
}

/**
 * Makes a workspace. The first one makes its person the deployment's operator, and is open to whoever sits at the machine
 * (`isTrusted`) or holds the one-time setup code from the server's log; later ones are the operators' to make.
 * Throws `invalid_setup_code`, `permission_denied`, `slug_taken`, `email_taken`.
 */
export const createWorkspace =
  (deps: Dependencies) =>
  async (
    workspace: z.infer<typeof createWorkspaceBody>,
    sender: { readonly isTrusted: boolean; readonly account: Account | null },
  ): Promise<{ slug: string }> => {
    if (isReservedSlug(workspace.slug) || workspace.slug === DEMO_SLUG) {
      throw new AppError({ code: 'slug_taken', message: `The address ${workspace.slug} is reserved. Choose another.` });
    }
    const { hasOperator, existing } = await deps.platformUnitOfWork.within({}, async ({ users }) => ({
      hasOperator: await users.hasOperator(),
      existing: await users.findByEmail(workspace.person.email),
    }));
    if (hasOperator) return createFurther(deps, workspace, { account: sender.account, existing });
    return createFirst(deps, workspace, sender.isTrusted);
  };

async function createFirst(
  deps: Dependencies,
  workspace: z.infer<typeof createWorkspaceBody>,
  isTrusted: boolean,
): Promise<{ slug: string }> {
  const owner: Founder = { role: 'owner', account: { ...(await newAccount(deps, workspace)), isOperator: true } };
  const { slug } = await foundTenant(deps, { ...workspace, isDemo: false, founders: [owner] }, async ({ settings, users }) => {
    // Under the lock, so that of two first people one becomes the operator and the other is refused.
    await settings.lockSetup();
    if (await users.hasOperator()) throw onlyOperators();
    if (!isTrusted) await requireSetupCode(deps, settings, workspace.setupCode);
    await withdrawSetupCodes(settings, deps.clock.now());
  });
  return { slug };
}

async function createFurther(
  deps: Dependencies,
  workspace: z.infer<typeof createWorkspaceBody>,
  people: { account: Account | null; existing: { id: Account['userId'] } | null },
): Promise<{ slug: string }> {
  if (!people.account?.isOperator) throw onlyOperators();
  // An account that exists keeps its name and password: an operator hands out workspaces, not other people's accounts.
  const account = people.existing ? { userId: people.existing.id } : { ...(await newAccount(deps, workspace)), isOperator: false };
  const { slug } = await foundTenant(deps, {
    ...workspace,
    isDemo: false,
    founders: [{ role: 'owner', account }],
    actor: { kind: 'user', id: people.account.userId },
  });
  return { slug };
}

async function newAccount(deps: Dependencies, { person }: z.infer<typeof createWorkspaceBody>) {
  return { email: person.email, name: person.name, passwordHash: await deps.passwordHasher.hash(person.password) };
}

async function requireSetupCode(deps: Dependencies, settings: TenancyStores['settings'], code: string | undefined): Promise<void> {
  const hashes = await findSetupCodeHashes(settings);
  // Every hash is compared: the time taken tells nothing about which one matched.
  const matches = hashes.filter((hash) => deps.setupCodes.matches(code ?? '', hash));
  if (matches.length > 0) return;
  throw new AppError({ code: 'invalid_setup_code', message: "This needs the one-time setup code from the server's log." });
}

function onlyOperators(): AppError {
  return new AppError({ code: 'permission_denied', message: 'Only an operator of this deployment can create further workspaces.' });
}
