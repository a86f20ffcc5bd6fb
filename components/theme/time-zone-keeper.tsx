'use client';

import { useRouter } from 'next/navigation';
import { useTimeZone } from 'next-intl';
import { useEffect } from 'react';
import { keepTimeZone } from './preferences.ts';

/** Tells the server the browser's time zone on the first visit and after a journey, and renders the page's times anew. */
export function TimeZoneKeeper() {
  const shown = useTimeZone();
  const router = useRouter();
  useEffect(() => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!own || own === shown || document.cookie.includes(encodeURIComponent(own))) return;
    keepTimeZone(own);
    router.refresh();
  }, [shown, router]);
  return null;
}
