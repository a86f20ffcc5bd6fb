import { useTranslations } from 'next-intl';
import { lazy, Suspense } from 'react';
import { CopyButton } from './copy-button.tsx';
import { joinClasses } from './join-classes.ts';

/** Loaded with the first code there is to show; until then it stands there plain. */
const HighlightedCode = lazy(() => import('./highlighted-code.tsx'));

/** Text as it is: code, a log line, a payload. It scrolls inside itself and can be reached by keyboard to do so. */
export function CodeView({ text, language, className }: { text: string; language?: string | undefined; className?: string }) {
  const t = useTranslations('ui');
  return (
    <figure className={joinClasses('group/code relative min-w-0 rounded-card border border-border bg-sunken', className)}>
      <figcaption className="flex h-8 items-center justify-between gap-2 border-b border-border ps-3 pe-1 text-meta text-muted-foreground">
        <span className="font-mono">{language ?? t('text')}</span>
        <CopyButton value={text} label={t('copyCode')} />
      </figcaption>
      {/* A scrolling region must be focusable, or a keyboard cannot scroll it. */}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-96 overflow-auto p-3 font-mono text-meta leading-5"
      >
        <code>
          <Suspense fallback={text}>
            <HighlightedCode text={text} language={language} />
          </Suspense>
        </code>
      </pre>
    </figure>
  );
}
