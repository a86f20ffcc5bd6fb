import type { z } from 'zod';
import type { accountStandPage } from '#lib/tenancy/contract.ts';
import { type Account, type PlatformUnitOfWork, requireOperator } from '#lib/tenancy/index.ts';
import type { AuthStores } from './ports.ts';

/** The account of an address, for operators: nobody else is told which accounts there are. Throws `permission_denied`. */
export const findAccounts =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<AuthStores> }) =>
  async (operator: Account, { email }: { email: string }): Promise<z.infer<typeof accountStandPage>> => {
    requireOperator(operator);
    const user = await deps.platformUnitOfWork.within({}, ({ users }) => users.findByEmail(email));
    return { items: user ? [{ userId: user.id, email: user.email, name: user.name, disabled: user.isDisabled }] : [], nextCursor: null };
  };
