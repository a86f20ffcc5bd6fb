'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { useFieldKeys } from '#components/ui/field-keys.ts';
import { isTooLong } from './message-length.ts';

/** A message written anew where it stands. It is sent beside the first one, which stays as it was. */
export function EditMessage({ text: before, onSend, onCancel }: { text: string; onSend: (text: string) => void; onCancel: () => void }) {
  const t = useTranslations('chat.edit');
  const [text, setText] = useState(before);
  const field = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  const isLong = isTooLong(text);
  const canSend = text.trim() !== '' && !isLong;
  useEffect(() => {
    const element = field.current;
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const send = () => {
    if (canSend) onSend(text);
  };
  const keys = useFieldKeys({
    onEnter: send,
    onEscape: onCancel,
    // A touch keyboard's Enter is its only way to a new line.
    isEnterOurs: () => matchMedia('(pointer: fine)').matches || !('ontouchstart' in window),
  });
  return (
    <div className="rounded-card border border-input bg-card focus-within:border-ring focus-within:outline focus-within:outline-1 focus-within:outline-ring">
      <textarea
        ref={field}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label={t('label')}
        aria-describedby={hintId}
        aria-invalid={isLong || undefined}
        className="said block field-sizing-content max-h-[40dvh] min-h-11 w-full resize-none bg-transparent px-3 pt-2 pb-1 outline-none"
        {...keys}
      />
      <div className="flex flex-wrap items-center justify-end gap-2 px-2 pb-2">
        <p id={hintId} className="min-w-0 flex-1 basis-40 ps-1 text-meta text-muted-foreground">
          {isLong ? <span className="text-destructive">{t('tooLong')}</span> : t('hint')}
        </p>
        <Button size="small" look="quiet" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button size="small" look="primary" onClick={send} disabled={!canSend}>
          {t('send')}
        </Button>
      </div>
    </div>
  );
}
