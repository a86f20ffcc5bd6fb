import { AppError } from '#lib/kernel/index.ts';
import type { Account } from './account.ts';

/** Throws `permission_denied` for whoever is not an operator of the deployment. */
export function requireOperator(account: Account): void {
  if (account.isOperator) return;
  throw new AppError({ code: 'permission_denied', message: 'Only an operator of this deployment may do this.' });
}
