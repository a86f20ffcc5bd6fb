'use client';

import { ChevronDownIcon, ChevronUpIcon, MessagesSquareIcon } from 'lucide-react';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { parseAsString, useQueryState } from 'nuqs';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { ExportMenu } from '#components/exports/export-menu.tsx';
import { useMe } from '#components/shell/me-scope.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Duration } from '#components/ui/duration.tsx';
import { ScrollRegion } from '#components/ui/scroll-region.tsx';
import { TabLinks } from '#components/ui/tab-links.tsx';
import { Time } from '#components/ui/time.tsx';
import { useClock } from '#components/ui/use-clock.ts';
import type { RunTrace, TracedRun } from '#lib/record/contract.ts';
import { hasEnded } from './has-ended.ts';
import { neighboursOf } from './list-order.ts';
import { hasModelActivity, modelActivity } from './model-activity.ts';
import { useCostText } from './model-call-row.tsx';
import { OutcomeSentence } from './outcome-sentence.tsx';
import { RevealRun } from './reveal-run.tsx';
import { RunEvents } from './run-events.tsx';
import { RunInspector } from './run-inspector.tsx';
import { RunStateChip } from './run-state-chip.tsx';
import { RunStrip } from './run-strip.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { stepTones } from './run-tones.ts';
import { RunTree } from './run-tree.tsx';
import type { RunViewKey } from './run-views.ts';
import { spanTree } from './span-tree.ts';
import { stateLanes } from './state-moves.ts';
import { timeSplit } from './time-split.ts';
import { TimeSplitBar } from './time-split-bar.tsx';
import { timelineSpans } from './timeline-spans.ts';
import { useLiveTrace } from './use-live-trace.ts';
import { useRunKeys } from './use-run-keys.ts';
import { useRunLog } from './use-run-log.ts';

// Views that most readers of a run never open: sent to those who do.
const PlanDetails = lazy(async () => ({ default: (await import('./plan-details.tsx')).PlanDetails }));
const RunModel = lazy(async () => ({ default: (await import('./run-model.tsx')).RunModel }));
const RunStates = lazy(async () => ({ default: (await import('./run-states.tsx')).RunStates }));

interface RunDetailProps {
  initialTrace: RunTrace;
  view: RunViewKey;
  presetName: string;
  /** How long a reveal of this run would last. */
  revealLastsMs: number;
  /** Whose task it is, and which tasks are its own. */
  family: React.ReactNode;
}

const NUMBERED: readonly RunViewKey[] = ['timeline', 'tree', 'events', 'states'];

/** A run in full: how it came out, what it was, and its views, which share one selection kept in the address. */
export function RunDetail({ initialTrace, view, presetName, revealLastsMs, family }: RunDetailProps) {
  const t = useTranslations('runs.detail');
  const { tenant, permissions, user } = useMe();
  const { trace, reread } = useLiveTrace(tenant.slug, initialTrace);
  const { run, events, sessionMoves } = trace;
  const [selected, setSelected] = useQueryState('span', parseAsString.withOptions({ history: 'replace', scroll: false }));
  const { log, loadMore, isLoading } = useRunLog(`/api/t/${tenant.slug}/runs/${run.id}`, {
    isShown: view === 'events' || view === 'model',
    lastSeq: run.lastSeq,
    version: run.viewing,
  });
  const spans = useMemo(() => timelineSpans(run, events), [run, events]);
  // What was thought aloud is in pieces that only the whole log has.
  const activity = useMemo(
    () => modelActivity([...events, ...log.items.filter(({ type }) => type === 'reasoning-delta')]),
    [events, log.items],
  );
  const totalMs = useTotalMs(run);
  const tree = useMemo(() => spanTree(spans, activity, totalMs), [spans, activity, totalMs]);
  const split = useMemo(() => timeSplit(spans, totalMs), [spans, totalMs]);
  const lanes = useMemo(() => stateLanes({ sessionMoves, events, invocations: run.invocations }), [sessionMoves, events, run.invocations]);
  const base = `/${tenant.slug}/runs/${run.id}`;
  const withSpan = (key: RunViewKey) => `${base}?view=${key}${selected ? `&span=${encodeURIComponent(selected)}` : ''}`;
  const select = useCallback((id: string | null) => void setSelected(id), [setSelected]);
  const neighbours = useNeighbours(run.id);
  useRunKeys({
    views: NUMBERED.map(withSpan),
    spans,
    selected,
    onSelect: select,
    next: neighbours.next && `/${tenant.slug}/runs/${neighbours.next}`,
    previous: neighbours.previous && `/${tenant.slug}/runs/${neighbours.previous}`,
  });
  const costText = useCostText();
  const format = useFormatter();
  const mayExport = permissions.includes('audit:export');
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
          <div className="flex flex-wrap items-center gap-2">
            {neighbours.previous ? (
              <Link
                href={`/${tenant.slug}/runs/${neighbours.previous}`}
                prefetch={false}
                className={buttonClasses({ look: 'quiet', size: 'square' })}
                aria-label={t('previous')}
                title={`${t('previous')} (K)`}
              >
                <ChevronUpIcon aria-hidden />
              </Link>
            ) : null}
            {neighbours.next ? (
              <Link
                href={`/${tenant.slug}/runs/${neighbours.next}`}
                prefetch={false}
                className={buttonClasses({ look: 'quiet', size: 'square' })}
                aria-label={t('next')}
                title={`${t('next')} (J)`}
              >
                <ChevronDownIcon aria-hidden />
              </Link>
            ) : null}
            {mayExport ? <ExportMenu request={{ run: run.id }} /> : null}
            {permissions.includes('conversation:read') && run.actor.userId === user.id ? (
              <Link href={`/${tenant.slug}/chat/${run.sessionId}`} className={buttonClasses({ look: 'outline' })}>
                <MessagesSquareIcon aria-hidden />
                {t('openChat')}
              </Link>
            ) : null}
          </div>
        </div>
        <RevealRun run={run} lastsMs={revealLastsMs} onRevealed={reread} />
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
          {run.usage ? (
            <Fact name={t('tokens')}>
              {format.number(run.usage.totalTokens)}
              {run.usage.isEstimated ? <span className="text-muted-foreground">{` · ${t('estimated')}`}</span> : null}
            </Fact>
          ) : null}
          {run.usage ? <Fact name={t('cost')}>{run.usage.cost ? costText(run.usage.cost) : t('noPrice')}</Fact> : null}
          <Fact name={t('split')}>
            <TimeSplitBar split={split} />
          </Fact>
          {run.ontologyRevision ? (
            <Fact name={t('ontology')}>
              <code className="font-mono text-meta">{run.ontologyRevision}</code>
            </Fact>
          ) : null}
          {run.epoch > 1 ? <Fact name={t('takenOver')}>{t('takenOverTimes', { count: run.epoch - 1 })}</Fact> : null}
        </dl>
        {family}
      </header>
      <div className="shrink-0 px-4">
        <TabLinks
          label={t('views')}
          current={view}
          tabs={[
            { key: 'timeline', href: withSpan('timeline'), label: t('timeline'), count: spans.length },
            { key: 'tree', href: withSpan('tree'), label: t('tree') },
            { key: 'events', href: withSpan('events'), label: t('events'), count: run.lastSeq },
            { key: 'states', href: withSpan('states'), label: t('states') },
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
          {view === 'tree' ? <RunTree rows={tree} selected={selected} onSelect={select} /> : null}
          {view === 'states' ? (
            <Suspense>
              <RunStates lanes={lanes} selected={selected} onSelect={select} />
            </Suspense>
          ) : null}
          {view === 'events' ? <RunEvents log={log} selected={selected} onSelect={select} onMore={loadMore} isLoading={isLoading} /> : null}
          {view === 'model' ? (
            <ScrollRegion label={t('model')} className="p-4">
              <Suspense>
                <RunModel
                  activity={activity}
                  unread={Math.max(0, log.lastSeq - (log.items.at(-1)?.seq ?? 0))}
                  onMore={loadMore}
                  isLoading={isLoading}
                />
              </Suspense>
            </ScrollRegion>
          ) : null}
          {view === 'plan' ? (
            <ScrollRegion label={t('plan')} className="p-4">
              <div className="max-w-[76ch]">
                {run.plan || run.path ? (
                  <Suspense>
                    <PlanDetails run={run} />
                  </Suspense>
                ) : (
                  <p className="text-ui text-muted-foreground">{t('noPlan')}</p>
                )}
              </div>
            </ScrollRegion>
          ) : null}
        </div>
        <aside className="flex min-h-0 min-w-0 flex-col border-border max-lg:border-t lg:border-s">
          <ScrollRegion label={t('inspector')}>
            <RunInspector run={run} spans={spans} events={events} log={log.items} selected={selected} />
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

/** The runs beside this one in the list it was opened from; known only in the browser. */
function useNeighbours(id: string): { next: string | null; previous: string | null } {
  const [found, setFound] = useState<{ id: string; next: string | null; previous: string | null }>({ id, next: null, previous: null });
  useEffect(() => {
    const timer = setTimeout(() => setFound({ id, ...neighboursOf(id) }));
    return () => clearTimeout(timer);
  }, [id]);
  return found.id === id ? found : { next: null, previous: null };
}

/** From the request to the run's end, or to now while it goes on. */
function useTotalMs(run: TracedRun): number {
  const now = useClock(!hasEnded(run.state));
  const lastKnown = Date.parse(run.endedAt ?? run.startedAt ?? run.createdAt);
  const end = run.endedAt === null ? Math.max(now ?? 0, lastKnown) : lastKnown;
  return Math.max(1, end - Date.parse(run.createdAt));
}
