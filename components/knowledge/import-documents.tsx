'use client';

import { RotateCcwIcon, UploadIcon, XIcon } from 'lucide-react';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { type FormEvent, useId, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { Button } from '#components/ui/button.tsx';
import { Input } from '#components/ui/input.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { ScrollRegion } from '#components/ui/scroll-region.tsx';
import { type DocumentSummaryView, documentSummaryView } from '#lib/knowledge/contract.ts';
import { type Upload, useUploads } from './use-uploads.ts';

const ACCEPTED = '.txt,.text,.md,.markdown,.html,.htm,.pdf,.csv,text/*,application/pdf';

/** Documents made of files and addresses, with how far each has come. */
export function ImportDocuments() {
  const t = useTranslations('knowledge.import');
  const { tenant } = useMe();
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const { uploads, add, again, remove } = useUploads(tenant.slug);
  return (
    <>
      <PageHead title={t('title')} />
      <ScrollRegion label={t('title')}>
        <div className="flex max-w-[72ch] flex-col gap-6 p-4">
          <section aria-label={t('files')}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard */}
            <div
              className={joinClasses(
                'flex flex-col items-start gap-2 rounded-card border border-dashed p-4',
                isOver ? 'border-ring bg-foreground/4' : 'border-input',
              )}
              onDragOver={(event) => {
                event.preventDefault();
                setIsOver(true);
              }}
              onDragLeave={() => setIsOver(false)}
              onDrop={(event) => {
                event.preventDefault();
                setIsOver(false);
                add(event.dataTransfer.files);
              }}
            >
              <Button onClick={() => picker.current?.click()}>
                <UploadIcon aria-hidden />
                {t('choose')}
              </Button>
              <p className="text-meta text-muted-foreground">{t('limits')}</p>
              <input
                ref={picker}
                type="file"
                multiple
                accept={ACCEPTED}
                className="sr-only"
                tabIndex={-1}
                aria-label={t('choose')}
                onChange={(event) => {
                  add(event.target.files ?? []);
                  event.target.value = '';
                }}
              />
            </div>
            {uploads.length > 0 ? (
              <ul className="mt-3">
                {uploads.map((upload) => (
                  <UploadRow key={upload.key} tenantSlug={tenant.slug} upload={upload} onAgain={again} onRemove={remove} />
                ))}
              </ul>
            ) : null}
          </section>
          <AddressForm tenantSlug={tenant.slug} />
          <p className="border-t border-border pt-3 text-meta text-muted-foreground">{t('search')}</p>
        </div>
      </ScrollRegion>
    </>
  );
}

function UploadRow(props: { tenantSlug: string; upload: Upload; onAgain: (upload: Upload) => void; onRemove: (upload: Upload) => void }) {
  const { tenantSlug, upload, onAgain, onRemove } = props;
  const t = useTranslations('knowledge.import');
  const format = useFormatter();
  const { file, share, document, failure } = upload;
  const state = share < 1 ? t('sending', { percent: format.number(share, { style: 'percent' }) }) : t('reading');
  return (
    <li className="border-b border-border py-2 text-ui">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate">
          {document ? (
            <Link href={`/${tenantSlug}/knowledge/${document.id}`} className="text-primary underline underline-offset-2">
              {document.title}
            </Link>
          ) : (
            file.name
          )}
        </span>
        <span className="shrink-0 text-meta text-muted-foreground tabular" role="status">
          {document ? t('done') : failure ? t('failed') : state}
        </span>
        {failure ? (
          <Button look="quiet" size="squareSmall" aria-label={t('again', { name: file.name })} onClick={() => onAgain(upload)}>
            <RotateCcwIcon aria-hidden />
          </Button>
        ) : null}
        <Button look="quiet" size="squareSmall" aria-label={t('remove', { name: file.name })} onClick={() => onRemove(upload)}>
          <XIcon aria-hidden />
        </Button>
      </div>
      {document || failure ? null : <progress value={share} max={1} aria-label={file.name} className="mt-1 h-1 w-full accent-primary" />}
      {failure ? <FailureNotice failure={failure} className="mt-1" /> : null}
    </li>
  );
}

function AddressForm({ tenantSlug }: { tenantSlug: string }) {
  const t = useTranslations('knowledge.import');
  const id = useId();
  const [url, setUrl] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [made, setMade] = useState<DocumentSummaryView | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setFailure(null);
    setMade(null);
    try {
      setMade(await requestJson(`/api/t/${tenantSlug}/document-addresses`, documentSummaryView, { method: 'POST', body: { url } }));
      setUrl('');
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    }
    setIsBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-2">
      <label htmlFor={id} className="text-ui font-medium">
        {t('address')}
      </label>
      <div className="flex gap-2">
        <Input id={id} type="url" required value={url} placeholder={t('addressExample')} onChange={(event) => setUrl(event.target.value)} />
        <Button type="submit" disabled={isBusy || url.trim() === ''}>
          {isBusy ? t('fetching') : t('fetch')}
        </Button>
      </div>
      <p className="text-meta text-muted-foreground">{t('addressHint')}</p>
      {made ? (
        <p role="status" className="text-ui">
          {t('done')}{' '}
          <Link href={`/${tenantSlug}/knowledge/${made.id}`} className="text-primary underline underline-offset-2">
            {made.title}
          </Link>
        </p>
      ) : null}
      {failure ? <FailureNotice failure={failure} /> : null}
    </form>
  );
}
