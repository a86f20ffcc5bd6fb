import type { WelcomeView } from './contract.ts';
import type { Account } from './domain/account.ts';
import { DEMO_SLUG } from './domain/demo.ts';
import type { PlatformStores, PlatformUnitOfWork } from './ports.ts';

/** What the welcome page may offer to this sender. Says nothing about the demo to whoever may not open it. */
export const getWelcome =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<PlatformStores>; isDemoAllowed: boolean }) =>
  async (sender: { readonly isTrusted: boolean; readonly account: Account | null }): Promise<WelcomeView> =>
    deps.platformUnitOfWork.within({}, async ({ tenants, users }) => {
      const isFirst = !(await users.hasOperator());
      const demo = sender.isTrusted && deps.isDemoAllowed ? await tenants.findBySlug(DEMO_SLUG) : null;
      return {
        canCreate: isFirst || sender.account?.isOperator === true,
        needsSetupCode: isFirst && !sender.isTrusted,
        canOpenDemo: demo?.isDemo === true,
        demoSlug: demo?.isDemo ? demo.slug : null,
      };
    });
