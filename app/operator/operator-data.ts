import { redirect } from 'next/navigation';
import { cache } from 'react';
import { currentAccount } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import { isAppError } from '#lib/kernel/index.ts';
import type { AccountQuery, AccountStandPage, HealthView, OperatedTenantPage } from '#lib/tenancy/contract.ts';
import type { Account } from '#lib/tenancy/index.ts';

const ACCOUNTS_PER_PAGE = 50;

/** Sends strangers to sign in. */
export const accountOrSignIn = cache(async (path: string): Promise<Account> => {
  const account = await currentAccount();
  if (!account) redirect(`/sign-in?callback=${encodeURIComponent(path)}`);
  return account;
});

/** What an operator's page shows; null for whoever is none. */
export function loadOperatedTenants(): Promise<OperatedTenantPage | null> {
  return load('/operator/tenants', (account) => application().listOperatedTenants(account));
}

export function loadHealth(): Promise<HealthView | null> {
  return load('/operator/health', (account) => application().readHealth(account));
}

export function loadAccounts(query: Omit<AccountQuery, 'limit'>): Promise<AccountStandPage | null> {
  return load('/operator/accounts', (account) => application().listAccounts(account, { ...query, limit: ACCOUNTS_PER_PAGE }));
}

async function load<Value>(path: string, read: (account: Account) => Promise<Value>): Promise<Value | null> {
  const account = await accountOrSignIn(path);
  try {
    return await read(account);
  } catch (error) {
    if (isAppError(error) && error.code === 'permission_denied') return null;
    throw error;
  }
}
