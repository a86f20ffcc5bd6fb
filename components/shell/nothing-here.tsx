import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { buttonClasses } from '#components/ui/button.tsx';

/** The answer for every address that leads nowhere, and for what belongs to others: the two are not told apart. */
export function NothingHere() {
  const t = useTranslations('states.notFound');
  return (
    <div className="flex max-w-[60ch] flex-col items-start gap-3 p-6">
      <h1 className="text-page font-semibold">{t('title')}</h1>
      <p className="text-chat text-muted-foreground">{t('body')}</p>
      <Link href="/" className={buttonClasses({ look: 'outline' })}>
        {t('home')}
      </Link>
    </div>
  );
}
