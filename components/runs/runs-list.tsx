'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUpIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { RunPage } from '#lib/supervisor/contract.ts';
import { rememberOrder } from './list-order.ts';
import { type RunFilters, toRunListQuery, toSearchParams, writeRunFilters } from './run-filters.ts';
import { RunRow } from './run-row.tsx';
import { useLiveRuns } from './use-live-runs.ts';

const RunPeek = lazy(async () => ({ default: (await import('./run-peek.tsx')).RunPeek }));

interface RunsListProps {
  tenantSlug: string;
  page: RunPage;
  filters: RunFilters;
  timeZone: string;
  presetNames: Readonly<Record<string, string>>;
  /** Shown instead of rows where there are none. */
  empty: ReactNode;
}

/** More rows than these, and only those in view are on the page. */
const ALL_SHOWN = 100;
const ROW_PX = 49;
const LOAD_BEFORE_ROWS = 15;

/**
 * Runs, newest first, read on as one scrolls. New ones wait behind a button. J and K go down and up, Enter opens, Space shows
 * the run beside the list, and there the next ones as one goes on.
 */
export function RunsList({ tenantSlug, page, filters, timeZone, presetNames, empty }: RunsListProps) {
  const t = useTranslations('runs.list');
  const base = `/${tenantSlug}/runs`;
  const query = toSearchParams(toRunListQuery(filters, timeZone)).toString();
  const [isPaused, setIsPaused] = useState(false);
  const isNewest = filters.cursor === null;
  const live = useLiveRuns(tenantSlug, query, page, isNewest && !isPaused);
  const { rows, newCount } = live;
  const list = useRef<HTMLDivElement>(null);
  const [peeked, setPeeked] = useState<string | null>(null);
  useRowKeys(list, (id) => setPeeked(id === peeked ? null : id));
  useEffect(() => rememberOrder(rows.map(({ id }) => id)), [rows]);
  const isVirtual = rows.length > ALL_SHOWN;
  // oxlint-disable-next-line react/incompatible-library -- nothing made from it is memoised or handed on
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
    enabled: isVirtual,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const { hasMore, loadMore } = live;
  useEffect(() => {
    if (isVirtual && hasMore && lastShown >= rows.length - LOAD_BEFORE_ROWS) loadMore();
  }, [isVirtual, hasMore, lastShown, rows.length, loadMore]);
  const shown = isVirtual ? items.flatMap(({ index }) => rows[index] ?? []) : rows;
  const before = isVirtual ? (items[0]?.start ?? 0) : 0;
  const after = isVirtual ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const showNew = () => {
    live.showNew();
    list.current?.scrollTo({ top: 0 });
  };
  return (
    <div className="relative flex min-h-0 flex-1">
      <div
        ref={list}
        className="relative min-h-0 min-w-0 flex-1 overflow-y-auto"
        onFocus={({ target }) => {
          const id = runOf(target);
          if (peeked !== null && id !== null) setPeeked(id);
        }}
      >
        {isNewest ? (
          <div className="flex min-h-9 items-center gap-2 border-b border-border px-4 text-meta text-muted-foreground">
            <span role="status" className="flex items-center gap-1.5">
              <span
                aria-hidden
                className={joinClasses('size-2 rounded-full', isPaused ? 'bg-border' : live.isBehind ? 'bg-warn' : 'bg-ok')}
              />
              {isPaused ? t('paused') : live.isBehind ? t('behind') : t('live')}
            </span>
            <Button look="quiet" size="small" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
              {isPaused ? t('resume') : t('pause')}
            </Button>
          </div>
        ) : null}
        {newCount > 0 ? (
          <div className="pointer-events-none sticky top-2 z-10 flex h-0 justify-center">
            <Button size="small" onClick={showNew} className="pointer-events-auto rounded-full bg-card shadow-floating">
              <ArrowUpIcon aria-hidden />
              {live.hasMoreNew ? t('newAtLeast', { count: newCount }) : t('new', { count: newCount })}
            </Button>
          </div>
        ) : null}
        {rows.length === 0 ? (
          <div className="px-4">{empty}</div>
        ) : (
          <table className="w-full max-md:block" aria-rowcount={hasMore ? -1 : rows.length + 1}>
            <thead className="max-md:sr-only">
              <tr className="sticky top-0 z-[1] h-8 border-b border-border bg-background text-meta text-muted-foreground shadow-[0_1px_0_var(--border)]">
                <Head className="ps-4">{t('state')}</Head>
                <Head>{t('prompt')}</Head>
                <Head>{t('actor')}</Head>
                <Head isNumber>{t('steps')}</Head>
                <Head isNumber>{t('calls')}</Head>
                <Head isNumber className="max-xl:hidden">
                  {t('tokens')}
                </Head>
                <Head isNumber className="max-xl:hidden">
                  {t('cost')}
                </Head>
                <Head isNumber>{t('duration')}</Head>
                <Head isNumber className="max-xl:hidden">
                  {t('waited')}
                </Head>
                <Head isNumber>{t('started')}</Head>
              </tr>
            </thead>
            <tbody className="max-md:block">
              {before > 0 ? <tr aria-hidden style={{ height: before }} className="max-md:block" /> : null}
              {shown.map((run) => (
                <RunRow key={run.id} run={run} href={`${base}/${run.id}`} presetName={presetNames[run.preset] ?? run.preset} />
              ))}
              {after > 0 ? <tr aria-hidden style={{ height: after }} className="max-md:block" /> : null}
            </tbody>
          </table>
        )}
        {hasMore || filters.cursor ? (
          <nav aria-label={t('paging')} className="flex items-center gap-2 px-4 py-3">
            {filters.cursor ? (
              <Link href={base + writeRunFilters({ ...filters, cursor: null })} className={buttonClasses({ look: 'outline' })}>
                {t('newest')}
              </Link>
            ) : null}
            {hasMore ? (
              <Button onClick={loadMore} disabled={live.isLoadingMore}>
                {live.isLoadingMore ? t('loading') : t('older')}
              </Button>
            ) : null}
          </nav>
        ) : null}
      </div>
      {peeked === null ? null : (
        <Suspense>
          <RunPeek runId={peeked} onClose={() => setPeeked(null)} />
        </Suspense>
      )}
    </div>
  );
}

function Head({ children, isNumber = false, className = '' }: { children: ReactNode; isNumber?: boolean; className?: string }) {
  return (
    <th scope="col" className={`font-normal whitespace-nowrap md:pe-4 ${isNumber ? 'text-end' : 'text-start'} ${className}`}>
      {children}
    </th>
  );
}

/** The run whose row has the focus. */
function runOf(target: EventTarget | null): string | null {
  return (target instanceof HTMLElement && target.dataset['runLink']) || null;
}

/** J and K move the focus from row to row; Enter is the link's own. */
function useRowKeys(list: React.RefObject<HTMLElement | null>, onPeek: (id: string) => void): void {
  const go = (by: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-run-link]') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  };
  useKeys({
    next: () => go(1),
    previous: () => go(-1),
    peek(event) {
      const id = runOf(event.target);
      if (id === null) return false;
      onPeek(id);
      return true;
    },
  });
}
