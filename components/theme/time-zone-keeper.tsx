'use client';

import { useRouter } from 'next/navigation';
import { useTimeZone } from 'next-intl';
import { useEffect } from 'react';
import { deviceTimeZone, isTimeZoneChosen, keepTimeZone } from './preferences.ts';

/** Tells the server the browser's time zone on the first visit and after a journey, and renders the page's times anew. Not where a person has chosen one. */
export function TimeZoneKeeper() {
  const shown = useTimeZone();
  const router = useRouter();
  useEffect(() => {
    const own = deviceTimeZone();
    if (!own || own === shown || isTimeZoneChosen() || document.cookie.includes(encodeURIComponent(own))) return;
    keepTimeZone(own);
    router.refresh();
  }, [shown, router]);
  return null;
}
