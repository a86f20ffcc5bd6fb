'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { useFieldKeys } from '#components/ui/field-keys.ts';
import { Input } from '#components/ui/input.tsx';
import type { SessionView } from '#lib/conversations/contract.ts';

/** The title of a chat, to be changed in its place: Enter keeps it, Escape leaves it as it was. */
export function RenameField({ session, onDone, onChanged }: { session: SessionView; onDone: () => void; onChanged: () => void }) {
  const t = useTranslations('chat.list');
  const { tenant } = useMe();
  const [title, setTitle] = useState(session.title);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    // A menu that is closing takes the focus back once more.
    const timer = setTimeout(() => field.current?.select(), 30);
    return () => clearTimeout(timer);
  }, []);
  const leave = () => {
    isDone.current = true;
    onDone();
  };
  const keep = async () => {
    const next = title.trim();
    if (isDone.current) return;
    if (next === '' || next === session.title) {
      leave();
      return;
    }
    try {
      await requestDone(`/api/t/${tenant.slug}/sessions/${session.id}`, { method: 'PATCH', body: { title: next } });
      leave();
      onChanged();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    }
  };
  const keys = useFieldKeys({ onEnter: () => void keep(), onEscape: leave });
  return (
    <div className="min-w-0 flex-1 p-2">
      <Input
        ref={field}
        value={title}
        maxLength={120}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={() => void keep()}
        aria-label={t('newTitle')}
        aria-invalid={failure ? true : undefined}
        {...keys}
      />
      {failure ? <p className="mt-1 text-meta text-destructive">{t('changeFailed')}</p> : null}
    </div>
  );
}
