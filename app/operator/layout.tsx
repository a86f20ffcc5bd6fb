import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { OperatorFrame } from '#components/operator/operator-frame.tsx';
import { pickMessages } from '#lib/i18n/index.ts';

export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const messages = await getMessages();
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['ui', 'states', 'people', 'operator'])}>
      <OperatorFrame>{children}</OperatorFrame>
    </NextIntlClientProvider>
  );
}
