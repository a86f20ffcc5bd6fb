import { cookies } from 'next/headers';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { RAIL_COOKIE } from '#components/shell/rail-cookie.ts';
import { Shell } from '#components/shell/shell.tsx';
import { parseTheme, THEME_COOKIE } from '#components/theme/theme.ts';
import { LOCALE_COOKIE, MESSAGE_AREAS, type MessageArea, pickMessages } from '#lib/i18n/index.ts';
import { loadShell } from './page-data.ts';

/** What is said outside of workspaces only. Whatever else there is may be said in one, so that a new area need not be named here. */
const ELSEWHERE: readonly MessageArea[] = ['account', 'auth', 'docs', 'invite', 'operator', 'welcome'];
const HERE = MESSAGE_AREAS.filter((area) => !ELSEWHERE.includes(area));

export default async function TenantLayout({ params, children }: { params: Promise<{ tenant: string }>; children: ReactNode }) {
  const { tenant } = await params;
  const [me, messages, jar] = await Promise.all([loadShell(tenant), getMessages(), cookies()]);
  return (
    <NextIntlClientProvider messages={pickMessages(messages, HERE)}>
      <Shell
        me={me}
        // The workspace's language is for who has chosen none, here or in their account.
        startLocale={me.user.locale ?? (jar.has(LOCALE_COOKIE) ? null : me.tenant.defaultLocale)}
        theme={parseTheme(jar.get(THEME_COOKIE)?.value)}
        isRailCollapsed={jar.get(RAIL_COOKIE)?.value === 'collapsed'}
      >
        {children}
      </Shell>
    </NextIntlClientProvider>
  );
}
