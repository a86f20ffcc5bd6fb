'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { randomKey } from '#components/live/random-key.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Badge } from '#components/ui/state-chip.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { type PresetView, sessionView } from '#lib/conversations/contract.ts';
import { Composer, type ComposerHandle } from './composer.tsx';
import { keepDraft } from './draft.ts';
import { prefetchMarkdown } from './markdown.tsx';
import { PresetPicker } from './preset-picker.tsx';
import { sendMessage } from './send-message.ts';
import { SessionListSheet } from './session-list-sheet.tsx';
import { announceSession } from './session-news.ts';
import { Suggestions } from './suggestions.tsx';

/** A chat that does not exist yet: it is made with its first message. */
export function NewChat({
  presets,
  wantedPreset,
  model,
}: {
  presets: readonly PresetView[];
  /** The kind of chat that the address asks for. */
  wantedPreset?: string | undefined;
  /** The model that answers; null for the planner. */
  model: string | null;
}) {
  const t = useTranslations('chat.new');
  const chat = useTranslations('chat');
  const locale = useLocale();
  const router = useRouter();
  const { tenant, user } = useMe();
  const [preset, setPreset] = useState(() => {
    const open = presets.filter(({ locked }) => locked === null);
    return (open.find(({ key }) => key === wantedPreset) ?? open[0] ?? presets[0])?.key ?? 'default';
  });
  const [sending, setSending] = useState<string | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const composer = useRef<ComposerHandle>(null);
  /** The chat and key of an attempt that failed half way, so that trying again makes neither of them twice. */
  const begun = useRef<{ sessionId: string | null; preset: string; text: string; key: string } | null>(null);

  useEffect(() => prefetchMarkdown(), []);
  useKeys({
    preset({ key }) {
      const wanted = presets[Number(key) - 1];
      if (wanted && wanted.locked === null) setPreset(wanted.key);
    },
  });

  const ask = async (text: string) => {
    setSending(text);
    setFailure(null);
    const again = begun.current?.text === text && begun.current.preset === preset ? begun.current : null;
    const attempt = again ?? { sessionId: null, preset, text, key: randomKey() };
    begun.current = attempt;
    try {
      attempt.sessionId ??= (
        await requestJson(`/api/t/${tenant.slug}/sessions`, sessionView.pick({ id: true }), { method: 'POST', body: { preset } })
      ).id;
      await sendMessage({ tenantSlug: tenant.slug, sessionId: attempt.sessionId, text, locale, idempotencyKey: attempt.key });
      keepDraft({ tenantSlug: tenant.slug, userId: user.id, sessionId: null }, '');
      announceSession({ tenantSlug: tenant.slug, sessionId: attempt.sessionId });
      router.push(`/${tenant.slug}/chat/${attempt.sessionId}`);
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      setSending(null);
      composer.current?.restore(text);
    }
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border px-2 lg:hidden">
        <SessionListSheet />
        <span className="text-ui font-semibold">{t('bar')}</span>
      </div>
      <div className="mx-auto flex w-full max-w-[44rem] flex-1 flex-col justify-end gap-8 px-4 pt-10 pb-4 md:justify-center md:pb-[12dvh]">
        <div className="flex flex-col items-start gap-2">
          <h1 className="text-page font-semibold">{t('title')}</h1>
          <Badge>
            <StateGlyph tone={model === null ? 'idle' : 'ok'} />
            {model === null ? chat('planner') : t('model', { model })}
          </Badge>
        </div>
        {presets.length > 1 ? <PresetPicker presets={presets} chosen={preset} onChoose={setPreset} /> : null}
        <Suggestions onAsk={(prompt) => void ask(prompt)} isDisabled={sending !== null} />
        <div className="flex flex-col gap-2">
          {failure ? <FailureNotice failure={failure} /> : null}
          {sending === null ? null : (
            <p role="status" className="flex items-center gap-2 text-meta text-muted-foreground">
              <StateGlyph tone="active" />
              {t('sending')}
            </p>
          )}
          <Composer
            ref={composer}
            draftKey={{ tenantSlug: tenant.slug, userId: user.id, sessionId: null }}
            placeholder={t('placeholder')}
            onSend={(text) => void ask(text)}
            isAutoFocused
          />
        </div>
      </div>
    </div>
  );
}
