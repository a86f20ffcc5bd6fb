import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { NextIntlClientProvider } from 'next-intl';
import { getLocale, getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { parseTheme, THEME_COOKIE } from '#components/theme/theme.ts';
import { TimeZoneKeeper } from '#components/theme/time-zone-keeper.tsx';
import { pickMessages } from '#lib/i18n/index.ts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Bailiwick', template: '%s · Bailiwick' },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  interactiveWidget: 'resizes-content',
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, messages, jar] = await Promise.all([getLocale(), getMessages(), cookies()]);
  return (
    <html lang={locale} data-theme={parseTheme(jar.get(THEME_COOKIE)?.value)}>
      <body>
        <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states'])}>
          <TimeZoneKeeper />
          {children}
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
