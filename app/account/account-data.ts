import { redirect } from 'next/navigation';
import { currentAccount } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import type { AccountView, SignInSessionView } from '#lib/tenancy/contract.ts';

/** What the account page shows; sends strangers to sign in. */
export async function loadAccount(): Promise<{ account: AccountView; sessions: SignInSessionView[]; homePath: string }> {
  const account = await currentAccount();
  if (!account) redirect('/sign-in?callback=/account');
  const [{ items }, tenants] = await Promise.all([application().listSignInSessions(account), application().listTenants(account)]);
  return { account: application().viewAccount(account), sessions: items, homePath: tenants[0] ? `/${tenants[0].slug}` : '/' };
}
