import { useTranslations } from 'next-intl';
import { useEffect } from 'react';

/** Puts before the tab's title what its chat is doing, for a reader who looks at another tab. */
export function useTabTitle(standing: 'waiting' | 'running' | null): void {
  const t = useTranslations('chat.tab');
  const prefix = standing === null ? '' : `${t(standing)} · `;
  useEffect(() => {
    if (prefix === '') return undefined;
    const title = document.title;
    document.title = prefix + title;
    return () => {
      if (document.title === prefix + title) document.title = title;
    };
  }, [prefix]);
}
