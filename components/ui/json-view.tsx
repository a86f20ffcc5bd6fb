import { useTranslations } from 'next-intl';
import { CopyButton } from './copy-button.tsx';
import { joinClasses } from './join-classes.ts';

/** A value of more characters than this is shown cut, and whole only when copied. */
const SHOWN_CHARACTERS = 64 * 1024;

/** A value as indented JSON. */
export function JsonView({ value, label, className }: { value: unknown; label: string; className?: string }) {
  const t = useTranslations('ui');
  const text = JSON.stringify(value, null, 2) ?? 'null';
  const isCut = text.length > SHOWN_CHARACTERS;
  return (
    <section aria-label={label} className={joinClasses('relative min-w-0 rounded-card border border-border bg-sunken', className)}>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-80 overflow-auto p-3 pe-10 font-mono text-meta leading-5 break-words whitespace-pre-wrap"
      >
        {isCut ? text.slice(0, SHOWN_CHARACTERS) : text}
      </pre>
      {isCut ? (
        <p className="border-t border-border px-3 py-1 text-meta text-muted-foreground">{t('cutAt', { count: SHOWN_CHARACTERS })}</p>
      ) : null}
      <CopyButton value={text} label={t('copyJson')} className="absolute end-1 top-1" />
    </section>
  );
}
