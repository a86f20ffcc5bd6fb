import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { currentAccount } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import type { ProgramView } from '#lib/oauth/contract.ts';
import type { AccountView, SignInSessionView } from '#lib/tenancy/contract.ts';
import type { Account } from '#lib/tenancy/index.ts';

/** Whose account it is; sends strangers to sign in, and back to the page they wanted. */
export async function loadAccount(): Promise<AccountView> {
  return application().viewAccount(await signedIn());
}

/** Where the way back leads: the person's first workspace. */
export async function loadHomePath(): Promise<string> {
  const [first] = await application().listTenants(await signedIn());
  return first ? `/${first.slug}` : '/';
}

export async function loadSignInSessions(): Promise<readonly SignInSessionView[]> {
  return (await application().listSignInSessions(await signedIn())).items;
}

export async function loadPrograms(): Promise<readonly ProgramView[]> {
  return (await application().listPrograms(await signedIn())).items;
}

const signedIn = cache(async (): Promise<Account> => {
  const account = await currentAccount();
  const path = (await headers()).get('x-own-path') ?? '/account';
  return account ?? redirect(`/sign-in?callback=${encodeURIComponent(path)}`);
});
