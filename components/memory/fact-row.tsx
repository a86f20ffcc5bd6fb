'use client';

import { PencilIcon } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { FactView } from '#lib/knowledge/contract.ts';
import { canKeep, FactField } from './fact-field.tsx';
import { ForgetFact } from './forget-fact.tsx';

const NAMED_CHARACTERS = 60;

/** One remembered thing: its text, where it came from, and its editing in its own place. */
export function FactRow({ fact, canWrite }: { fact: FactView; canWrite: boolean }) {
  const t = useTranslations('memory');
  const { tenant, permissions } = useMe();
  const [isEditing, setIsEditing] = useState(false);
  const name = fact.text.slice(0, NAMED_CHARACTERS);
  if (isEditing) {
    return (
      <li className="border-b border-border py-3">
        <EditFact fact={fact} onDone={() => setIsEditing(false)} />
      </li>
    );
  }
  return (
    <li className="flex items-start gap-2 border-b border-border py-2.5">
      <div className="min-w-0 flex-1">
        <p className="text-chat break-words whitespace-pre-wrap">{fact.text}</p>
        <p className="text-meta text-muted-foreground">
          <TimeAgo at={fact.createdAt} />
          {' · '}
          {fact.runId === null ? (
            t('byHand')
          ) : permissions.includes('run:read') ? (
            <Link href={`/${tenant.slug}/runs/${fact.runId}`} className="underline underline-offset-2 hover:text-foreground">
              {t('fromRun')}
            </Link>
          ) : (
            t('fromRun')
          )}
        </p>
      </div>
      {canWrite ? (
        <>
          <Button
            look="quiet"
            size="square"
            onClick={() => setIsEditing(true)}
            aria-label={t('edit.open', { text: name })}
            title={t('edit.open', { text: name })}
          >
            <PencilIcon aria-hidden />
          </Button>
          <ForgetFact fact={fact} name={name} />
        </>
      ) : null}
    </li>
  );
}

function EditFact({ fact, onDone }: { fact: FactView; onDone: () => void }) {
  const t = useTranslations('memory.edit');
  const { tenant } = useMe();
  const router = useRouter();
  const [text, setText] = useState(fact.text);
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const save = async () => {
    if (isSaving || !canKeep(text)) return;
    if (text.trim() === fact.text) {
      onDone();
      return;
    }
    setIsSaving(true);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenant.slug}/facts/${fact.id}`, { method: 'PUT', body: { text: text.trim() } });
      router.refresh();
      onDone();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      setIsSaving(false);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <FactField
        label={t('label')}
        text={text}
        isDisabled={isSaving}
        onChange={setText}
        onSave={() => void save()}
        onLeave={onDone}
        startsFocused
      />
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex gap-2">
        <Button look="primary" onClick={() => void save()} disabled={isSaving || !canKeep(text)}>
          {isSaving ? t('saving') : t('save')}
        </Button>
        <Button look="quiet" onClick={onDone} disabled={isSaving}>
          {t('leave')}
        </Button>
      </div>
    </div>
  );
}
