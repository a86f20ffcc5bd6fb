'use client';

import { DownloadIcon } from 'lucide-react';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { useCallback, useEffect, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { Tone } from '#components/ui/state-glyph.tsx';
import { Time } from '#components/ui/time.tsx';
import { type ExportView, exportList } from '#lib/record/contract.ts';

const EVERY_MS = 1_000;
const KIB = 1024;
const TONES: { readonly [State in ExportView['state']]: Tone } = {
  QUEUED: 'queued',
  RUNNING: 'active',
  DONE: 'ok',
  FAILED: 'error',
  CANCELLED: 'stopped',
  EXPIRED: 'idle',
};

/** Files that were asked for: how far each is, to be fetched or stopped. */
export function ExportList({ initial }: { initial: readonly ExportView[] }) {
  const t = useTranslations('exports');
  const { tenant } = useMe();
  const [items, setItems] = useState(initial);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const path = `/api/t/${tenant.slug}/exports`;
  const read = useCallback(
    () =>
      requestJson(path, exportList).then(
        (list) => setItems(list.items),
        () => undefined,
      ),
    [path],
  );
  const isMoving = items.some(isOpen);
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => void read(), EVERY_MS);
    return () => clearInterval(timer);
  }, [isMoving, read]);
  const stop = async (id: string) => {
    setFailure(null);
    await requestDone(`${path}/${id}`, { method: 'DELETE' }).catch((thrown: unknown) => setFailure(toRequestFailure(thrown)));
    await read();
  };
  if (items.length === 0) {
    return (
      <EmptyState
        title={t('empty')}
        action={
          <Link href={`/${tenant.slug}/runs`} className={buttonClasses({ look: 'outline' })}>
            {t('toRuns')}
          </Link>
        }
      >
        {t('emptyBody')}
      </EmptyState>
    );
  }
  return (
    <>
      {failure ? <FailureNotice failure={failure} className="mb-3" /> : null}
      <ul className="border-t border-border">
        {items.map((item) => (
          <ExportRow key={item.id} item={item} href={`${path}/${item.id}/file`} onStop={() => stop(item.id)} />
        ))}
      </ul>
    </>
  );
}

function ExportRow({ item, href, onStop }: { item: ExportView; href: string; onStop: () => Promise<void> }) {
  const t = useTranslations('exports');
  const format = useFormatter();
  const [isStopping, setIsStopping] = useState(false);
  const share = item.totalCount ? Math.min(1, item.runCount / item.totalCount) : 0;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-2">
      <div className="min-w-0 flex-1 basis-72">
        <p className="truncate font-mono text-meta">{item.fileName}</p>
        <p className="flex flex-wrap gap-x-3 text-meta text-muted-foreground tabular">
          <span>{t(item.redaction)}</span>
          <span>
            {t('made')} <Time at={item.createdAt} />
          </span>
          {item.expiresAt && item.state === 'DONE' ? (
            <span>
              {t('expires')} <Time at={item.expiresAt} />
            </span>
          ) : null}
          {item.state === 'DONE' ? <span>{t('bytes', { kib: Math.max(1, Math.round(item.byteCount / KIB)) })}</span> : null}
        </p>
        {item.error ? <p className="text-meta text-destructive">{item.error}</p> : null}
      </div>
      <div className="w-44">
        <StateChip tone={TONES[item.state]}>{t(`states.${item.state}`)}</StateChip>
        {item.totalCount === null ? null : (
          <>
            <progress
              value={share}
              max={1}
              aria-label={`${item.fileName}: ${format.number(share, { style: 'percent' })}`}
              className="mt-1 block h-1 w-full appearance-none overflow-hidden bg-border [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-border [&::-webkit-progress-value]:bg-primary"
            />
            <span className="text-meta text-muted-foreground tabular">{t('of', { done: item.runCount, total: item.totalCount })}</span>
          </>
        )}
      </div>
      <div className="flex w-32 justify-end">
        {item.state === 'DONE' ? (
          <a
            href={href}
            download={item.fileName}
            className={buttonClasses({ look: 'outline' })}
            aria-label={`${t('download')}: ${item.fileName}`}
          >
            <DownloadIcon aria-hidden />
            {t('download')}
          </a>
        ) : null}
        {isOpen(item) ? (
          <Button
            disabled={isStopping}
            aria-label={`${t('stop')}: ${item.fileName}`}
            onClick={() => {
              setIsStopping(true);
              void onStop();
            }}
          >
            {isStopping ? t('stopping') : t('stop')}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function isOpen({ state }: ExportView): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}
