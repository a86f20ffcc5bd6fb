'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { useFieldKeys } from '#components/ui/field-keys.ts';
import { Input, Textarea } from '#components/ui/input.tsx';
import { type TermView, termView } from '#lib/knowledge/contract.ts';

const SYNONYM_LIMIT = 10;

interface TermEditorProps {
  /** Null for a term that does not exist yet. */
  term: TermView | null;
  onDone: () => void;
}

/** Writes a term. A save over somebody else's newer version is not made: its writer sees both and chooses. */
export function TermEditor({ term, onDone }: TermEditorProps) {
  const t = useTranslations('knowledge.terms.editor');
  const { tenant } = useMe();
  const router = useRouter();
  const [base, setBase] = useState(term);
  const [name, setName] = useState(term?.term ?? '');
  const [synonyms, setSynonyms] = useState(term?.synonyms.join(t('between')) ?? '');
  const [meaning, setMeaning] = useState(term?.meaning ?? '');
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const [newest, setNewest] = useState<TermView | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  const path = `/api/t/${tenant.slug}/terms`;
  const names = readNames(synonyms);
  const isTooMany = names.length > SYNONYM_LIMIT;
  const canSave = !isSaving && name.trim() !== '' && meaning.trim() !== '' && !isTooMany;
  const save = async (expected: TermView | null) => {
    if (!canSave) return;
    setIsSaving(true);
    setFailure(null);
    setNewest(null);
    const draft = { term: name.trim(), meaning: meaning.trim(), synonyms: names };
    try {
      if (expected) await requestDone(`${path}/${expected.id}`, { method: 'PUT', body: { ...draft, expectedVersion: expected.version } });
      else await requestDone(path, { method: 'POST', body: draft });
      router.refresh();
      onDone();
    } catch (thrown) {
      const refused = toRequestFailure(thrown);
      if (refused.code === 'conflict' && expected) {
        const stored = await requestJson(`${path}/${expected.id}`, termView).catch(() => null);
        // Else the name is taken, as the refusal says.
        if (stored && stored.version !== expected.version) setNewest(stored);
      }
      setFailure(refused);
      setIsSaving(false);
    }
  };
  const keys = useFieldKeys({ onEnter: () => void save(base), onEscape: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(base);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t('term')} hint={t('termHint')}>
          {(control) => (
            <Input
              {...control}
              {...keys}
              ref={first}
              value={name}
              maxLength={80}
              disabled={isSaving}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('synonyms')} hint={t('synonymsHint')} problem={isTooMany ? t('tooMany', { limit: SYNONYM_LIMIT }) : null}>
          {(control) => (
            <Input {...control} {...keys} value={synonyms} disabled={isSaving} onChange={(event) => setSynonyms(event.target.value)} />
          )}
        </Field>
      </div>
      <Field label={t('meaning')}>
        {(control) => (
          <Textarea
            {...control}
            {...keys}
            rows={2}
            value={meaning}
            maxLength={500}
            disabled={isSaving}
            onChange={(event) => setMeaning(event.target.value)}
          />
        )}
      </Field>
      {failure && newest ? (
        <ErrorState
          cause={t('conflict', { meaning: newest.meaning, names: newest.synonyms.join(t('between')) })}
          nextStep={t('conflictNext')}
          action={
            <>
              <Button
                size="small"
                onClick={() => {
                  setBase(newest);
                  void save(newest);
                }}
              >
                {t('keepMine')}
              </Button>
              <Button
                size="small"
                onClick={() => {
                  setBase(newest);
                  setName(newest.term);
                  setSynonyms(newest.synonyms.join(t('between')));
                  setMeaning(newest.meaning);
                  setFailure(null);
                  setNewest(null);
                }}
              >
                {t('takeTheirs')}
              </Button>
            </>
          }
        />
      ) : failure ? (
        <FailureNotice failure={failure} />
      ) : null}
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={!canSave}>
          {isSaving ? t('saving') : t('save')}
        </Button>
        <Button look="quiet" onClick={onDone} disabled={isSaving}>
          {t('leave')}
        </Button>
      </div>
    </form>
  );
}

/** Names as people separate them, in English and Chinese. */
function readNames(text: string): string[] {
  return text
    .split(/[,;，；、\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
