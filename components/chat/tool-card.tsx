'use client';

import { ChevronRightIcon } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import { InvocationStateChip } from '#components/runs/run-state-chip.tsx';
import { Transitions } from '#components/runs/transitions.tsx';
import { Duration } from '#components/ui/duration.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { JsonView } from '#components/ui/json-view.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { InvocationView } from '#lib/supervisor/contract.ts';
import type { CallProgressPart } from './run-progress.ts';
import { SourceList } from './source-list.tsx';
import { useElapsedMs } from './use-elapsed.ts';

/** Few calls tell of their progress. */
const CallProgressLine = dynamic(() => import('./call-progress-line.tsx'));

interface ToolCardProps {
  invocation: InvocationView;
  /** How far it says that it has come. */
  told?: CallProgressPart | undefined;
  runPath: string;
  /** It may have run or not: a person has been asked. */
  isUnknown?: boolean;
}

/** One call of a capability: a line that opens to its arguments, result and every state it went through. */
export function ToolCard({ invocation, told, runPath, isUnknown = false }: ToolCardProps) {
  const t = useTranslations('runs.call');
  const titleOf = useCapabilityTitle();
  const [isOpen, setIsOpen] = useState(false);
  const elapsed = useElapsedMs(isUnknown ? null : invocation.requestedAt, invocation.finishedAt);
  const title = titleOf(invocation.capabilityId);
  return (
    <div className="border-b border-border last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="touchable flex min-h-8 w-full items-center gap-2 py-1 text-start hover:bg-foreground/4"
      >
        <ChevronRightIcon
          aria-hidden
          className={joinClasses('size-3.5 shrink-0 text-muted-foreground transition-transform duration-[120ms]', isOpen && 'rotate-90')}
        />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          {title === null ? null : <span className="text-ui font-medium">{title}</span>}
          <code className="font-mono text-meta text-muted-foreground">{invocation.capabilityId}</code>
          <span className="min-w-0 flex-1 basis-24 truncate text-meta text-muted-foreground">{summarise(invocation.arguments)}</span>
        </span>
        {invocation.attempt > 1 ? (
          <span className="text-meta text-muted-foreground tabular">{t('attempt', { attempt: invocation.attempt })}</span>
        ) : null}
        {elapsed === null ? null : (
          <span className="text-meta text-muted-foreground">
            <Duration milliseconds={elapsed} />
          </span>
        )}
        {isUnknown ? <StateChip tone="waiting">{t('unknown')}</StateChip> : <InvocationStateChip state={invocation.state} />}
      </button>
      {told && !isUnknown ? <CallProgressLine told={told} /> : null}
      <SourceList output={invocation.output} />
      {invocation.error && !isOpen ? <p className="pb-1.5 ps-5.5 text-meta text-destructive">{invocation.error.message}</p> : null}
      {isOpen ? (
        <div className="grid min-w-0 animate-appear gap-3 pt-1 pb-3 ps-5.5 lg:grid-cols-2">
          <Part title={t('arguments')}>
            <JsonView value={invocation.arguments} label={t('arguments')} />
          </Part>
          <Part title={t('result')}>
            {invocation.error ? (
              <p className="text-ui text-destructive">
                {invocation.error.message} <code className="font-mono text-meta">{invocation.error.code}</code>
              </p>
            ) : invocation.output ? (
              <JsonView value={invocation.output} label={t('result')} />
            ) : (
              <p className="text-ui text-muted-foreground">{t('noResult')}</p>
            )}
          </Part>
          <Part title={t('transitions')} className="lg:col-span-2">
            <Transitions invocation={invocation} />
            <Link
              href={`${runPath}?view=timeline&span=${invocation.id}`}
              className="mt-2 inline-block text-meta text-primary underline underline-offset-2"
            >
              {t('openSpan')}
            </Link>
          </Part>
        </div>
      ) : null}
    </div>
  );
}

function Part({ title, className, children }: { title: string; className?: string; children: React.ReactNode }) {
  return (
    <div className={joinClasses('min-w-0', className)}>
      <p className="mb-1 text-meta text-muted-foreground">{title}</p>
      {children}
    </div>
  );
}

const SHOWN_VALUES = 3;
const SHOWN_CHARACTERS = 60;

/** Arguments in a line: the first few, each cut short. */
export function summarise(values: Record<string, unknown>): string {
  return Object.entries(values)
    .slice(0, SHOWN_VALUES)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      return `${name}: ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}`;
    })
    .join(' · ');
}
