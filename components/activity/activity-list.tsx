'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { joinClasses } from '#components/ui/join-classes.ts';
import { JsonView } from '#components/ui/json-view.tsx';
import { Time } from '#components/ui/time.tsx';
import type { AuditEventView } from '#lib/audit/contract.ts';
import { detailChanges } from './detail-changes.ts';

const REFUSALS = /\.(?:denied|failed|rejected|unknown|unhandled)$/;

/** Who did what to what, when and from where; opened, what was before and after. */
export function ActivityList({ tenantSlug, events }: { tenantSlug: string; events: readonly AuditEventView[] }) {
  const t = useTranslations('activity');
  return (
    <ol aria-label={t('list')}>
      {events.map((event) => (
        <li key={event.id} className="border-b border-border">
          <details className="group">
            <summary className="touchable grid min-h-11 cursor-pointer grid-cols-[8.5rem_11rem_minmax(0,13rem)_minmax(0,1fr)_4.5rem_8rem] items-center gap-x-3 px-4 py-1 text-ui outline-offset-[-2px] hover:bg-foreground/4 max-lg:grid-cols-[8.5rem_minmax(0,1fr)_auto] max-sm:grid-cols-[minmax(0,1fr)_auto]">
              <span className="text-muted-foreground tabular max-sm:order-last">
                <Time at={event.at} />
              </span>
              <span className="min-w-0 truncate">
                <Actor event={event} />
              </span>
              <span className={joinClasses('min-w-0 truncate font-mono text-meta', REFUSALS.test(event.type) && 'text-destructive')}>
                {event.type}
              </span>
              <span className="min-w-0 truncate text-muted-foreground max-lg:hidden">
                {event.target.kind} <span className="text-foreground">{event.target.name ?? event.target.id}</span>
              </span>
              <span className="text-meta text-muted-foreground max-lg:hidden">{t(`vias.${event.via}`)}</span>
              <span className="truncate font-mono text-meta text-muted-foreground max-lg:hidden">{event.ip ?? '–'}</span>
            </summary>
            <Details tenantSlug={tenantSlug} event={event} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function Actor({ event: { actor } }: { event: AuditEventView }) {
  const t = useTranslations('activity');
  if (actor.kind === 'user') return actor.name ?? <code className="font-mono text-meta">{actor.id}</code>;
  if (actor.kind === 'api-key') return t('apiKey');
  return actor.kind === 'system' ? t('system') : t('someone');
}

function Details({ tenantSlug, event }: { tenantSlug: string; event: AuditEventView }) {
  const t = useTranslations('activity');
  const { changes, rest } = detailChanges(event.details);
  const hasRest = Object.keys(rest).length > 0;
  return (
    <div className="flex flex-col gap-3 border-t border-border bg-sunken px-4 py-3 text-ui">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name={t('who')}>
          {event.actor.name} <code className="font-mono text-meta break-all">{event.actor.id}</code>
        </Fact>
        <Fact name={t('target')}>
          {event.target.kind} {event.target.name} <code className="font-mono text-meta break-all">{event.target.id}</code>
        </Fact>
        <Fact name={t('via')}>
          {t(`vias.${event.via}`)}
          {event.ip ? ` · ${event.ip}` : ''}
        </Fact>
      </dl>
      {changes.length > 0 ? (
        <table className="w-full max-w-[84ch] table-fixed text-start">
          <thead>
            <tr className="border-b border-border text-meta text-muted-foreground">
              <th scope="col" className="w-40 py-1 pe-3 text-start font-normal">
                {t('field')}
              </th>
              <th scope="col" className="py-1 pe-3 text-start font-normal">
                {t('before')}
              </th>
              <th scope="col" className="py-1 text-start font-normal">
                {t('after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field} className="border-b border-border align-top">
                <th scope="row" className="py-1 pe-3 text-start font-normal break-words">
                  {field}
                </th>
                <td className="py-1 pe-3 font-mono text-meta break-words text-destructive">
                  <del className="no-underline">{textOf(before, t('unset'))}</del>
                </td>
                <td className="py-1 font-mono text-meta break-words text-ok">
                  <ins className="no-underline">{textOf(after, t('unset'))}</ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {hasRest ? <JsonView value={rest} label={t('details')} className="max-w-[84ch]" /> : null}
      {changes.length === 0 && !hasRest ? <p className="text-muted-foreground">{t('noDetails')}</p> : null}
      {event.runId ? (
        <p>
          <Link href={`/${tenantSlug}/runs/${event.runId}`} prefetch={false} className="text-primary underline underline-offset-2">
            {t('openRun')}
          </Link>
        </p>
      ) : null}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function textOf(value: unknown, unset: string): string {
  if (value === undefined || value === null) return unset;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
