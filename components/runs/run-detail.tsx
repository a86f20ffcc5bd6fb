'use client';

import { MessagesSquareIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryState } from 'nuqs';
import { useMemo } from 'react';
import { useMe } from '#components/shell/me-scope.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Duration } from '#components/ui/duration.tsx';
import { ScrollRegion } from '#components/ui/scroll-region.tsx';
import { TabLinks } from '#components/ui/tab-links.tsx';
import { Time } from '#components/ui/time.tsx';
import { useClock } from '#components/ui/use-clock.ts';
import type { RunView } from '#lib/supervisor/contract.ts';
import { hasEnded } from './has-ended.ts';
import { hasModelActivity, modelActivity } from './model-activity.ts';
import { OutcomeSentence } from './outcome-sentence.tsx';
import { PlanDetails } from './plan-details.tsx';
import { RunEvents } from './run-events.tsx';
import { RunInspector } from './run-inspector.tsx';
import { RunModel } from './run-model.tsx';
import { RunStateChip } from './run-state-chip.tsx';
import { RunStrip } from './run-strip.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { stepTones } from './run-tones.ts';
import type { RunViewKey } from './run-views.ts';
import { timelineSpans } from './timeline-spans.ts';
import { type RunLog, useLiveRun } from './use-live-run.ts';

interface RunDetailProps {
  initialRun: RunView;
  initialLog: RunLog;
  view: RunViewKey;
  presetName: string;
}

/** A run in full: how it came out, what it was, and its views, which share one selection kept in the address. */
export function RunDetail({ initialRun, initialLog, view, presetName }: RunDetailProps) {
  const t = useTranslations('runs.detail');
  const { tenant, permissions, user } = useMe();
  const { run, log, loadMore, isLoading } = useLiveRun(tenant.slug, initialRun, initialLog);
  const [selected, setSelected] = useQueryState('span', parseAsString.withOptions({ history: 'replace', scroll: false }));
  const spans = useMemo(() => timelineSpans(run, log.items), [run, log.items]);
  const activity = useMemo(() => modelActivity(log.items), [log.items]);
  const read = log.items.at(-1)?.seq ?? 0;
  const totalMs = useTotalMs(run);
  const base = `/${tenant.slug}/runs/${run.id}`;
  const withSpan = (key: RunViewKey) => `${base}?view=${key}${selected ? `&span=${encodeURIComponent(selected)}` : ''}`;
  const select = (id: string | null) => void setSelected(id);
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:overflow-hidden">
      <header className="shrink-0 px-4 pt-3">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <div className="min-w-0 flex-1 basis-72">
            <p className="flex items-center gap-3">
              <RunStateChip state={run.state} />
              <code className="truncate font-mono text-meta text-muted-foreground">{run.id}</code>
            </p>
            <h1 className="mt-1 text-page font-semibold text-balance">
              <OutcomeSentence run={run} />
            </h1>
          </div>
          {permissions.includes('conversation:read') && run.actor.userId === user.id ? (
            <Link href={`/${tenant.slug}/chat/${run.sessionId}`} className={buttonClasses({ look: 'outline' })}>
              <MessagesSquareIcon aria-hidden />
              {t('openChat')}
            </Link>
          ) : null}
        </div>
        <RunStrip tones={stepTones(run)} className="mt-3" />
        <dl className="flex flex-wrap gap-x-8 gap-y-2 py-3 text-ui">
          <Fact name={t('actor')}>{run.actor.name}</Fact>
          <Fact name={t('preset')}>{presetName}</Fact>
          {run.path ? (
            <Fact name={t('path')}>
              {t(`paths.${run.path}`)}
              {run.pathReason ? <span className="text-muted-foreground">{` · ${run.pathReason.text}`}</span> : null}
            </Fact>
          ) : null}
          <Fact name={t('asked')}>
            <Time at={run.createdAt} />
          </Fact>
          <Fact name={t('duration')}>
            <Duration milliseconds={run.durationMs ?? totalMs} />
          </Fact>
          {run.ontologyRevision ? (
            <Fact name={t('ontology')}>
              <code className="font-mono text-meta">{run.ontologyRevision}</code>
            </Fact>
          ) : null}
          {run.epoch > 1 ? <Fact name={t('takenOver')}>{t('takenOverTimes', { count: run.epoch - 1 })}</Fact> : null}
        </dl>
      </header>
      <div className="shrink-0 px-4">
        <TabLinks
          label={t('views')}
          current={view}
          tabs={[
            { key: 'timeline', href: withSpan('timeline'), label: t('timeline'), count: spans.length },
            { key: 'events', href: withSpan('events'), label: t('events'), count: log.lastSeq },
            { key: 'plan', href: withSpan('plan'), label: t('plan') },
            ...(hasModelActivity(activity) || run.path === 'llm' || view === 'model'
              ? [{ key: 'model', href: withSpan('model'), label: t('model'), count: activity.calls.length }]
              : []),
          ]}
        />
      </div>
      <div className="grid shrink-0 lg:min-h-0 lg:flex-1 lg:shrink lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
        <div className="flex min-w-0 flex-col max-lg:has-[[data-scrolls]]:h-[70dvh] lg:min-h-0 lg:overflow-y-auto">
          {view === 'timeline' ? <RunTimeline spans={spans} totalMs={totalMs} selected={selected} onSelect={select} /> : null}
          {view === 'events' ? <RunEvents log={log} selected={selected} onSelect={select} onMore={loadMore} isLoading={isLoading} /> : null}
          {view === 'model' ? (
            <ScrollRegion label={t('model')} className="p-4">
              <RunModel activity={activity} unread={Math.max(0, log.lastSeq - read)} onMore={loadMore} isLoading={isLoading} />
            </ScrollRegion>
          ) : null}
          {view === 'plan' ? (
            <ScrollRegion label={t('plan')} className="p-4">
              <div className="max-w-[76ch]">
                {run.plan || run.path ? <PlanDetails run={run} /> : <p className="text-ui text-muted-foreground">{t('noPlan')}</p>}
              </div>
            </ScrollRegion>
          ) : null}
        </div>
        <aside className="flex min-h-0 min-w-0 flex-col border-border max-lg:border-t lg:border-s">
          <ScrollRegion label={t('inspector')}>
            <RunInspector run={run} spans={spans} events={log.items} selected={selected} />
          </ScrollRegion>
        </aside>
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-meta text-muted-foreground">{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}

/** From the request to the run's end, or to now while it goes on. */
function useTotalMs(run: RunView): number {
  const now = useClock(!hasEnded(run.state));
  const lastKnown = Date.parse(run.endedAt ?? run.startedAt ?? run.createdAt);
  const end = run.endedAt === null ? Math.max(now ?? 0, lastKnown) : lastKnown;
  return Math.max(1, end - Date.parse(run.createdAt));
}
