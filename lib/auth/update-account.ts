import type { z } from 'zod';
import type { AccountView, updateAccountBody } from '#lib/tenancy/contract.ts';
import type { Account, PlatformUnitOfWork } from '#lib/tenancy/index.ts';
import type { AuthStores } from './ports.ts';

/** Changes how a person is named and in which language, colours and time zone they see the interface. */
export const updateAccount =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<AuthStores> }) =>
  async (account: Account, change: z.infer<typeof updateAccountBody>): Promise<AccountView> => {
    await deps.platformUnitOfWork.within({}, ({ users }) => users.update(account.userId, change));
    return toAccountView({
      ...account,
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.locale === undefined ? {} : { locale: change.locale }),
      ...(change.theme === undefined ? {} : { theme: change.theme }),
      ...(change.timeZone === undefined ? {} : { timeZone: change.timeZone }),
    });
  };

export function toAccountView({ userId, email, name, locale, theme, timeZone, hasPassword, isOperator }: Account): AccountView {
  return { id: userId, email, name, locale, theme, timeZone, hasPassword, isOperator };
}
