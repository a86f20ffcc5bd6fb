'use client';

import { CornerDownRightIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useMe } from '#components/shell/me-scope.tsx';
import { hasChinese } from './markdown.tsx';

/** Questions that always have an answer here, with or without a model; a click asks one. The demo's last one asks back. */
export function Suggestions({ onAsk, isDisabled }: { onAsk: (prompt: string) => void; isDisabled: boolean }) {
  const t = useTranslations('chat.new');
  const { tenant } = useMe();
  const prompts = tenant.isDemo
    ? [t('prompts.campus'), t('prompts.time'), t('prompts.mixed'), t('prompts.decide')]
    : [t('prompts.time'), t('prompts.units'), t('prompts.help')];
  return (
    <div>
      <h2 className="text-meta text-muted-foreground">{t('suggestions')}</h2>
      <ul className="mt-1 border-t border-border">
        {prompts.map((prompt) => (
          <li key={prompt} className="border-b border-border">
            <button
              type="button"
              disabled={isDisabled}
              onClick={() => onAsk(prompt)}
              lang={hasChinese(prompt) ? 'zh-CN' : 'en'}
              className="touchable flex min-h-10 w-full items-center gap-2.5 px-1 py-2 text-start text-chat hover:bg-foreground/4 disabled:opacity-50"
            >
              <CornerDownRightIcon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
