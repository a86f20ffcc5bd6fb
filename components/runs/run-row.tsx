'use client';

import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { Duration } from '#components/ui/duration.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { RunSummaryView } from '#lib/supervisor/contract.ts';
import { useCostText } from './model-call-row.tsx';
import { RunStateChip } from './run-state-chip.tsx';
import { RunStrip } from './run-strip.tsx';
import { summaryTones } from './run-tones.ts';

/** One run in the list: a row of a table on wide screens, a card on narrow ones. */
export function RunRow({ run, href, presetName }: { run: RunSummaryView; href: string; presetName: string }) {
  const t = useTranslations('runs.list');
  const format = useFormatter();
  const costText = useCostText();
  return (
    <tr className="relative border-b border-border transition-colors duration-[120ms] hover:bg-foreground/4 max-md:grid max-md:grid-cols-[1fr_auto_auto] max-md:items-end max-md:gap-x-4 max-md:gap-y-2 max-md:px-4 max-md:py-3 md:h-11">
      <td className="md:min-w-40 md:ps-4 md:pe-6">
        <RunStateChip state={run.state} />
        <RunStrip tones={summaryTones(run)} className="mt-1 max-md:max-w-40" />
      </td>
      <td className="max-w-0 w-full max-md:order-first max-md:col-span-3 max-md:w-auto max-md:max-w-none md:pe-3">
        <Link
          href={href}
          // To fetch a run is to read it, which is recorded: a row that is merely in view is not fetched.
          prefetch={false}
          data-run-link={run.id}
          className="block truncate text-ui outline-offset-[-2px] after:absolute after:inset-0 after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-ring max-md:text-chat"
        >
          {run.promptHead || t('emptyPrompt')}
        </Link>
        <span className="block truncate text-meta text-muted-foreground">
          {presetName}
          <span className="md:hidden">{` · ${run.actor.name}`}</span>
        </span>
      </td>
      <td className="text-ui whitespace-nowrap text-muted-foreground max-md:hidden md:pe-4">{run.actor.name}</td>
      <td className="text-end text-ui whitespace-nowrap tabular max-md:hidden md:pe-4">{run.stepCount}</td>
      <td className="text-end text-ui whitespace-nowrap tabular max-md:hidden md:pe-4">
        {run.callsSucceeded}
        {run.callsFailed > 0 ? <span className="text-destructive">{` ${t('failedCalls', { count: run.callsFailed })}`}</span> : null}
      </td>
      <td className="text-end text-ui whitespace-nowrap tabular max-xl:hidden md:pe-4">
        {run.totalTokens > 0 ? format.number(run.totalTokens) : '–'}
      </td>
      <td className="text-end text-ui whitespace-nowrap tabular max-xl:hidden md:pe-4">{run.cost ? costText(run.cost) : '–'}</td>
      <td className="text-end text-ui whitespace-nowrap md:pe-4">
        {run.durationMs === null ? <span className="text-muted-foreground">{'–'}</span> : <Duration milliseconds={run.durationMs} />}
      </td>
      <td className="text-end text-ui whitespace-nowrap max-xl:hidden md:pe-4">
        {run.waitedMs > 0 ? <Duration milliseconds={run.waitedMs} /> : '–'}
      </td>
      <td className="text-end text-ui whitespace-nowrap text-muted-foreground md:pe-4">
        <TimeAgo at={run.createdAt} />
      </td>
    </tr>
  );
}
