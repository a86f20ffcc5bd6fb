import { cache } from 'react';
import { currentAccount, isCurrentSenderTrusted } from '#lib/auth/index.ts';
import { application } from '#lib/composition/index.ts';
import type { WelcomeView } from '#lib/tenancy/contract.ts';

/** What the pages before a workspace need to know of their visitor. */
export interface Entry {
  welcome: WelcomeView;
  account: { name: string; email: string } | null;
  origin: string;
}

export const loadEntry = cache(async (): Promise<Entry> => {
  const [account, isTrusted] = await Promise.all([currentAccount(), isCurrentSenderTrusted()]);
  const welcome = await application().getWelcome({ isTrusted, account });
  return {
    welcome,
    account: account && { name: account.name, email: account.email },
    origin: application().config.publicUrl.origin,
  };
});

/** The first workspace of somebody who is signed in; else the welcome page where it has something to offer; else sign-in. */
export async function findEntryPath(): Promise<string> {
  const account = await currentAccount();
  const first = account ? (await application().listTenants(account))[0] : undefined;
  if (first) return `/${first.slug}`;
  const { welcome } = await loadEntry();
  return welcome.canCreate || welcome.canOpenDemo || account ? '/welcome' : '/sign-in';
}
