'use client';

import { ArrowUpIcon, SquareIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import {
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Button } from '#components/ui/button.tsx';
import { useFieldKeys } from '#components/ui/field-keys.ts';
import { joinClasses } from '#components/ui/join-classes.ts';
import { type DraftKey, keepDraft, readDraft } from './draft.ts';
import { isTooLong } from './message-length.ts';

export interface ComposerHandle {
  /** Puts text back to be edited, before what stands there already. */
  restore: (text: string) => void;
  focus: () => void;
}

interface ComposerProps {
  draftKey: DraftKey;
  placeholder: string;
  onSend: (text: string) => void;
  /** Given while something runs that can be stopped. */
  onStop?: (() => void) | undefined;
  isStopping?: boolean;
  isAutoFocused?: boolean;
  /** How full the model's room is. */
  meter?: ReactNode;
  ref?: Ref<ComposerHandle>;
}

/** Where a message is written. It alone renders anew on a key press, whatever stands above it. */
export function Composer({ draftKey, placeholder, onSend, onStop, isStopping = false, isAutoFocused = false, meter, ref }: ComposerProps) {
  const t = useTranslations('chat.composer');
  const { tenantSlug, userId, sessionId } = draftKey;
  // The server knows no draft, so the field is filled once the page is the browser's.
  const draft = useSyncExternalStore(
    neverChanges,
    () => readDraft({ tenantSlug, userId, sessionId }),
    () => '',
  );
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  const isLong = isTooLong(text);
  const isEmpty = text.trim() === '';

  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  });
  useEffect(() => {
    if (isAutoFocused && matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, [isAutoFocused]);

  const change = (next: string) => {
    setTyped(next);
    keepDraft(draftKey, next);
  };
  useImperativeHandle(ref, () => ({
    restore: (restored) => {
      change(text.trim() === '' ? restored : `${restored}\n\n${text}`);
      field.current?.focus();
    },
    focus: () => field.current?.focus(),
  }));
  const send = () => {
    if (isEmpty || isLong) return;
    setTyped('');
    onSend(text);
  };
  // A touch keyboard's Enter is its only way to a new line.
  const keys = useFieldKeys({
    onEnter: send,
    isEnterOurs: () => matchMedia('(pointer: fine)').matches || !('ontouchstart' in window),
  });
  return (
    <div className="rounded-sheet border border-input bg-card focus-within:border-ring focus-within:outline focus-within:outline-1 focus-within:outline-ring">
      <textarea
        ref={field}
        rows={1}
        value={text}
        onChange={(event) => change(event.target.value)}
        placeholder={placeholder}
        aria-label={t('label')}
        aria-describedby={hintId}
        aria-invalid={isLong || undefined}
        className="said block field-sizing-content max-h-[40dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none"
        {...keys}
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        <p id={hintId} className={joinClasses('min-w-0 flex-1 ps-1.5 text-meta', isLong ? 'text-destructive' : 'text-muted-foreground')}>
          {isLong ? t('tooLong') : <span className="pointer-coarse:hidden">{t('keys')}</span>}
        </p>
        {meter}
        {onStop ? (
          <Button size="normal" onClick={onStop} disabled={isStopping} title={t('stopKeys')}>
            <SquareIcon aria-hidden className="fill-current !size-3" />
            {isStopping ? t('stopping') : t('stop')}
          </Button>
        ) : null}
        <Button look="primary" onClick={send} disabled={isEmpty || isLong} aria-label={t('send')} size="square">
          <ArrowUpIcon aria-hidden />
        </Button>
      </div>
    </div>
  );
}

function neverChanges(): () => void {
  return () => undefined;
}
