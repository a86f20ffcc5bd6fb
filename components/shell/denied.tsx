import { useTranslations } from 'next-intl';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';

/** A page the person's role does not open: what it needs, and who can give it. */
export function Denied({ permission, role, tenant }: { permission: string; role: string; tenant: string }) {
  const t = useTranslations('states.denied');
  return (
    <div className="flex max-w-[60ch] flex-col gap-2 p-6">
      <h1 className="flex items-center gap-2 text-page font-semibold">
        <StateGlyph tone="stopped" className="size-4" />
        {t('title')}
      </h1>
      <p className="text-chat">{t('needs', { permission, role })}</p>
      <p className="text-chat text-muted-foreground">{t('who', { tenant })}</p>
      <CopyButton
        value={t('request', { permission, role, tenant })}
        isLabelled
        label={t('ask')}
        look="outline"
        className="mt-1 self-start"
      />
    </div>
  );
}
