import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { EntryFrame } from '#components/auth/entry-frame.tsx';
import { pickMessages } from '#lib/i18n/index.ts';

export default async function StatusLayout({ children }: { children: ReactNode }) {
  const messages = await getMessages();
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states', 'auth', 'operator'])}>
      <EntryFrame>{children}</EntryFrame>
    </NextIntlClientProvider>
  );
}
