'use client';

import { ChevronRightIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useDurationText } from '#components/ui/duration.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { InvocationView, RunState } from '#lib/supervisor/contract.ts';
import type { CallProgressPart } from './run-progress.ts';
import { ToolCard } from './tool-card.tsx';

/** From this many finished calls on they are folded into one line. */
const FOLD_FROM = 3;

/** Under way while its run waits: what it has handed on is at work. */
const WAITS_FOR_TASKS = 'agents.delegate';

/** The calls of a run. Many finished ones fold to a line; what is under way or failed keeps its own. */
export function ToolGroup({
  invocations,
  callProgress = [],
  runPath,
  runState,
}: {
  invocations: readonly InvocationView[];
  /** Of those that are under way. */
  callProgress?: readonly CallProgressPart[];
  runPath: string;
  runState: RunState;
}) {
  const t = useTranslations('runs.call');
  const durationText = useDurationText();
  const [isOpen, setIsOpen] = useState(false);
  const finished = invocations.filter(({ finishedAt }) => finishedAt !== null);
  const isFolded = finished.length >= FOLD_FROM;
  const shown = isFolded && !isOpen ? invocations.filter(({ finishedAt }) => finishedAt === null) : invocations;
  if (invocations.length === 0) return null;
  const total = finished.reduce(
    (sum, { requestedAt, finishedAt }) => sum + Date.parse(finishedAt ?? requestedAt) - Date.parse(requestedAt),
    0,
  );
  return (
    <div className="border-y border-border">
      {isFolded ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className={joinClasses(
            'touchable flex min-h-8 w-full items-center gap-2 text-start text-ui text-muted-foreground tabular hover:bg-foreground/4',
            isOpen && 'border-b border-border',
          )}
        >
          <ChevronRightIcon
            aria-hidden
            className={joinClasses('size-3.5 shrink-0 transition-transform duration-[120ms]', isOpen && 'rotate-90')}
          />
          {t('group', {
            count: finished.length,
            failed: finished.filter(({ state }) => state === 'FAILED').length,
            duration: durationText(total),
          })}
        </button>
      ) : null}
      {shown.map((invocation) => (
        <ToolCard
          key={invocation.id}
          invocation={invocation}
          told={invocation.finishedAt === null ? callProgress.find(({ invocationId }) => invocationId === invocation.id) : undefined}
          runPath={runPath}
          isUnknown={runState === 'WAITING' && invocation.state === 'EXECUTING' && invocation.capabilityId !== WAITS_FOR_TASKS}
        />
      ))}
    </div>
  );
}
