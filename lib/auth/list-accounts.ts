import type { AccountQuery, AccountStandPage } from '#lib/tenancy/contract.ts';
import { type Account, type PlatformUnitOfWork, readCursor, requireOperator, toPage } from '#lib/tenancy/index.ts';
import type { AuthStores } from './ports.ts';

/**
 * The accounts of the deployment, oldest first, for operators: nobody else is told which accounts there are. Throws
 * `permission_denied`, and `invalid_request` for a cursor that no page gave.
 */
export const listAccounts =
  (deps: { platformUnitOfWork: PlatformUnitOfWork<AuthStores> }) =>
  async (operator: Account, { q, state, cursor, limit }: AccountQuery): Promise<AccountStandPage> => {
    requireOperator(operator);
    const after = readCursor('user', cursor);
    const isDisabled = state === undefined ? undefined : state === 'closed';
    const rows = await deps.platformUnitOfWork.within({}, ({ users }) =>
      users.list({ after, limit: limit + 1, text: q || undefined, isDisabled }),
    );
    return toPage(rows, {
      limit,
      cursorOf: ({ id }) => id,
      view: (user) => ({ userId: user.id, email: user.email, name: user.name, disabled: user.isDisabled, isOperator: user.isOperator }),
    });
  };
