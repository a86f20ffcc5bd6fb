'use client';

import { ArrowUpIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useRef } from 'react';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import type { RunPage } from '#lib/supervisor/contract.ts';
import { type RunFilters, toRunListQuery, toSearchParams, writeRunFilters } from './run-filters.ts';
import { RunRow } from './run-row.tsx';
import { useLiveRuns } from './use-live-runs.ts';

interface RunsListProps {
  tenantSlug: string;
  page: RunPage;
  filters: RunFilters;
  timeZone: string;
  presetNames: Readonly<Record<string, string>>;
  /** Shown instead of rows where there are none. */
  empty: ReactNode;
}

/** Runs, newest first, a page at a time. J and K go down and up, Enter opens. */
export function RunsList({ tenantSlug, page, filters, timeZone, presetNames, empty }: RunsListProps) {
  const t = useTranslations('runs.list');
  const query = toSearchParams(toRunListQuery(filters, timeZone)).toString();
  const { rows, nextCursor, newCount, showNew } = useLiveRuns(tenantSlug, query, page, filters.cursor === null);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  const base = `/${tenantSlug}/runs`;
  return (
    <div ref={list} className="relative min-h-0 flex-1 overflow-y-auto">
      {newCount > 0 ? (
        <div className="pointer-events-none sticky top-2 z-10 flex h-0 justify-center">
          <Button size="small" onClick={showNew} className="pointer-events-auto rounded-full bg-card shadow-floating">
            <ArrowUpIcon aria-hidden />
            {t('new', { count: newCount })}
          </Button>
        </div>
      ) : null}
      {rows.length === 0 ? (
        <div className="px-4">{empty}</div>
      ) : (
        <table className="w-full max-md:block">
          <thead className="max-md:sr-only">
            <tr className="sticky top-0 z-[1] h-8 border-b border-border bg-background text-meta text-muted-foreground shadow-[0_1px_0_var(--border)]">
              <Head className="ps-4">{t('state')}</Head>
              <Head>{t('prompt')}</Head>
              <Head>{t('actor')}</Head>
              <Head isNumber>{t('steps')}</Head>
              <Head isNumber>{t('calls')}</Head>
              <Head isNumber>{t('duration')}</Head>
              <Head isNumber>{t('started')}</Head>
            </tr>
          </thead>
          <tbody className="max-md:block">
            {rows.map((run) => (
              <RunRow key={run.id} run={run} href={`${base}/${run.id}`} presetName={presetNames[run.preset] ?? run.preset} />
            ))}
          </tbody>
        </table>
      )}
      {nextCursor || filters.cursor ? (
        <nav aria-label={t('paging')} className="flex items-center gap-2 px-4 py-3">
          {filters.cursor ? (
            <Link href={base + writeRunFilters({ ...filters, cursor: null })} className={buttonClasses({ look: 'outline' })}>
              {t('newest')}
            </Link>
          ) : null}
          {nextCursor ? (
            <Link href={base + writeRunFilters({ ...filters, cursor: nextCursor })} className={buttonClasses({ look: 'outline' })}>
              {t('older')}
            </Link>
          ) : null}
        </nav>
      ) : null}
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

/** J and K move the focus from row to row; Enter is the link's own. */
function useRowKeys(list: React.RefObject<HTMLElement | null>): void {
  const go = (by: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-run-link]') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  };
  useKeys({ next: () => go(1), previous: () => go(-1) });
}
