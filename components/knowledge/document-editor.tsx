'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select, Textarea } from '#components/ui/input.tsx';
import { LOCALES } from '#lib/i18n/index.ts';
import { type DocumentView, documentSummaryView, documentView } from '#lib/knowledge/contract.ts';
import { ConflictNotice } from './conflict-notice.tsx';

interface DocumentEditorProps {
  tenantSlug: string;
  /** Null for a document that does not exist yet. */
  document: DocumentView | null;
  startLanguage: DocumentView['language'];
  onDone: () => void;
}

/** Writes a document. A save over somebody else's newer version is not made: its writer sees both and chooses. */
export function DocumentEditor({ tenantSlug, document, startLanguage, onDone }: DocumentEditorProps) {
  const t = useTranslations('knowledge.editor');
  const router = useRouter();
  const [base, setBase] = useState(document);
  const [title, setTitle] = useState(document?.title ?? '');
  const [language, setLanguage] = useState(document?.language ?? startLanguage);
  const [body, setBody] = useState(document?.body ?? '');
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const [newest, setNewest] = useState<DocumentView | null>(null);
  const isChanged = title !== (base?.title ?? '') || body !== (base?.body ?? '') || (base !== null && language !== base.language);
  useLeaveWarning(isChanged);

  const path = `/api/t/${tenantSlug}/documents`;
  const save = async (expected: DocumentView | null) => {
    setIsSaving(true);
    setFailure(null);
    setNewest(null);
    try {
      const draft = { title, language, body };
      const saved = expected
        ? await requestJson(`${path}/${expected.id}`, documentSummaryView, {
            method: 'PUT',
            body: { ...draft, expectedVersion: expected.version },
          })
        : await requestJson(path, documentSummaryView, { method: 'POST', body: draft });
      setBase({ ...saved, body });
      if (expected) onDone();
      else router.push(`/${tenantSlug}/knowledge/${saved.id}`);
      router.refresh();
    } catch (thrown) {
      const refused = toRequestFailure(thrown);
      if (refused.code === 'conflict' && expected) {
        setNewest(await requestJson(`${path}/${expected.id}`, documentView).catch(() => null));
      }
      setFailure(refused);
    } finally {
      setIsSaving(false);
    }
  };
  const canSave = !isSaving && isChanged && title.trim() !== '';
  useKeys({
    // Where there is nothing to save it does nothing, rather than save the page.
    save() {
      if (canSave) void save(base);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(base);
  };
  return (
    <form className="flex max-w-[84ch] flex-col gap-4 p-4" onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-[1fr_11rem]">
        <Field label={t('title')}>
          {(control) => <Input {...control} value={title} onChange={(event) => setTitle(event.target.value)} required maxLength={200} />}
        </Field>
        <Field label={t('language')}>
          {(control) => (
            <Select
              {...control}
              value={language}
              onChange={(event) => setLanguage(LOCALES.find((locale) => locale === event.target.value) ?? 'en')}
            >
              {LOCALES.map((locale) => (
                <option key={locale} value={locale} lang={locale}>
                  {LOCALE_NAMES[locale]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={t('body')} hint={t('bodyHint')}>
        {(control) => (
          <Textarea
            {...control}
            value={body}
            onChange={(event) => setBody(event.target.value)}
            lang={language}
            rows={18}
            className="min-h-[45dvh] font-mono text-ui leading-6"
          />
        )}
      </Field>
      {failure && newest ? (
        <ConflictNotice
          newest={newest}
          onTakeTheirs={() => {
            setBase(newest);
            setTitle(newest.title);
            setLanguage(newest.language);
            setBody(newest.body);
            setFailure(null);
            setNewest(null);
          }}
          onKeepMine={() => {
            setBase(newest);
            void save(newest);
          }}
        />
      ) : failure ? (
        <FailureNotice failure={failure} />
      ) : null}
      <div className="flex items-center gap-2">
        <Button type="submit" look="primary" disabled={!canSave}>
          {isSaving ? t('saving') : t('save')}
        </Button>
        <Button look="quiet" onClick={onDone} disabled={isSaving}>
          {t('leave')}
        </Button>
        <span className="text-meta text-muted-foreground">{isChanged ? t('unsaved') : ''}</span>
      </div>
    </form>
  );
}

/** The browser asks before a page with unsaved text is closed. */
function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isActive]);
}
