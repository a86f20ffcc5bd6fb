'use client';

import { useLocale } from 'next-intl';
import { lazy, memo, Suspense } from 'react';
import { joinClasses } from '#components/ui/join-classes.ts';

/** Loaded apart from the page: it is larger than all the rest of a chat. The server renders it; a browser takes over later. */
const MarkdownEngine = lazy(() => import('./markdown-engine.tsx'));

/** Fetches the engine once nothing else is to do, so that the first answer does not wait for it. */
export function prefetchMarkdown(): void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in window) requestIdleCallback(fetchEngine, { timeout: 3000 });
  else setTimeout(fetchEngine, 1000);
}

function fetchEngine(): void {
  void import('./markdown-engine.tsx');
}

/** Text in Markdown, while it is being written and after. */
export const Markdown = memo(function Markdown({
  text,
  isStreaming = false,
  className,
}: {
  text: string;
  isStreaming?: boolean;
  className?: string;
}) {
  const locale = useLocale();
  return (
    <div className={joinClasses('said', className)} lang={hasChinese(text) ? 'zh-CN' : locale === 'zh-CN' ? 'en' : locale}>
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownEngine text={text} isStreaming={isStreaming} />
      </Suspense>
    </div>
  );
});

/** Whether text is to be set and read out as Chinese: any Han character without kana beside it. */
export function hasChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}
