'use client';

import { useRouter } from 'next/navigation';
import { useTimeZone } from 'next-intl';
import { useEffect } from 'react';
import { chooseTimeZone, isTimeZoneChosen } from './preferences.ts';

/** Brings a browser to the time zone of the account that has signed in on it; without one, back to its own. */
export function AccountTimeZoneKeeper({ accountTimeZone }: { accountTimeZone: string | null }) {
  const shown = useTimeZone();
  const router = useRouter();
  useEffect(() => {
    if (accountTimeZone === null ? !isTimeZoneChosen() : accountTimeZone === shown && isTimeZoneChosen()) return;
    chooseTimeZone(accountTimeZone);
    router.refresh();
  }, [accountTimeZone, shown, router]);
  return null;
}
