'use client';

import { ListTreeIcon, RotateCcwIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { memo } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { ApprovalList } from '#components/approvals/approval-list.tsx';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import { hasEnded } from '#components/runs/has-ended.ts';
import { PlanDetails } from '#components/runs/plan-details.tsx';
import { runTone, stepCountOf, stepTones, summaryTones } from '#components/runs/run-tones.ts';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { SkeletonRows } from '#components/ui/skeleton.tsx';
import type { CompactionView, MessageView, UsageView } from '#lib/conversations/contract.ts';
import type { RunState, RunSummaryView, RunView } from '#lib/supervisor/contract.ts';
import { CompactionMarker } from './compaction-marker.tsx';
import { HandoffList } from './handoff-list.tsx';
import { Markdown } from './markdown.tsx';
import { PlanStrip } from './plan-strip.tsx';
import type { ProgressStore } from './progress-store.ts';
import { QuestionCard } from './question-card.tsx';
import { ReasoningFold } from './reasoning-fold.tsx';
import { progressText, type RunProgress } from './run-progress.ts';
import { ToolGroup } from './tool-group.tsx';
import { UsageNote } from './usage-note.tsx';
import { sumUsage } from './usage-sum.ts';
import { useElapsedMs } from './use-elapsed.ts';
import { useLinePlace } from './use-line-place.ts';
import { usePathLine } from './use-path-line.ts';
import type { Pins } from './use-pins.ts';
import { useProgress } from './use-progress.ts';
import { useRunView } from './use-run-view.ts';

interface AnswerProps {
  tenantSlug: string;
  runId: string;
  message: MessageView | null;
  /** The run's figures as the transcript was loaded; absent for a run that began since. */
  summary: RunSummaryView | undefined;
  store: ProgressStore;
  /** What had left the model's room by the time the transcript was read. */
  compactions?: readonly CompactionView[] | undefined;
  pins?: Pins['byRun'] | undefined;
  /** Messages whose runs stand before this one. */
  queuePlace: number;
  canWrite: boolean;
  /** Asks the same again, as a branch. */
  onRetry: () => void;
  isRetrying: boolean;
}

/** What came of a message: a run under way, as it happens, or a stored one with its text. */
export const Answer = memo(function Answer(props: AnswerProps) {
  const progress = useProgress(props.store, props.runId);
  // An answer is stored when its run is over: whatever was missed of the run, this is how it ended.
  const isBehind = progress !== undefined && !hasEnded(progress.state) && props.message !== null;
  return progress && !isBehind ? <LiveAnswer {...props} progress={progress} /> : <StoredAnswer {...props} />;
});

/** Once a run is over it is told by what it was about. */
const ENDED = { FINISH_OK: null, FINISH_ERROR: null, TIMEOUT: null, CANCELLED: null };

function LiveAnswer({ progress, message, queuePlace, pins, compactions: _stored, ...rest }: AnswerProps & { progress: RunProgress }) {
  const t = useTranslations('chat.run');
  const titleOf = useCapabilityTitle();
  const elapsed = useElapsedMs(progress.startedAt ?? progress.createdAt, progress.endedAt);
  const isOver = hasEnded(progress.state);
  const text = progressText(progress) || (isOver ? (message?.text ?? '') : '');
  const current = progress.invocations.findLast(({ finishedAt }) => finishedAt === null);
  const usage = message?.usage ?? sumUsage(progress.modelCalls);
  const handoff = progress.handoffs.findLast(({ answer }) => answer === null);
  const path = usePathLine()(progress, usage?.models ?? []);
  const linePlace = useLinePlace(rest.tenantSlug, rest.runId, progress.state === 'QUEUED' && queuePlace === 0);
  const isThinking = !isOver && text === '' && current === undefined && handoff === undefined;
  const runPath = `/${rest.tenantSlug}/runs/${rest.runId}`;
  const doing = current
    ? (titleOf(current.capabilityId) ?? current.capabilityId)
    : handoff
      ? t('handedOff', { agent: handoff.to })
      : t(text !== '' ? 'answering' : progress.path === 'llm' ? 'thinking' : 'planning');
  const summary =
    {
      QUEUED:
        queuePlace > 0 ? t('queued', { place: queuePlace }) : linePlace === null ? t('starting') : t('inLine', { before: linePlace - 1 }),
      RUNNING: doing,
      WAITING: needsPerson(progress) ? t('waiting') : t('tasksAtWork'),
      ...ENDED,
    }[progress.state] ?? joinParts(path, progress.plan?.intent.rationale);
  return (
    <div className="flex flex-col gap-3">
      <Markers compactions={progress.compactions} pins={pins} />
      <PlanStrip
        state={progress.state}
        tones={stepTones(progress)}
        stepCount={stepCountOf(progress.plan)}
        summary={summary}
        elapsedMs={elapsed}
        isSticky={!isOver}
      >
        <PlanDetails run={progress} />
      </PlanStrip>
      <div className="-mt-3 empty:hidden">
        <ReasoningFold reasoning={progress.reasoning} isThinking={isThinking} />
        <HandoffList handoffs={progress.handoffs} isOver={isOver} />
        <ToolGroup invocations={progress.invocations} callProgress={progress.callProgress} runPath={runPath} runState={progress.state} />
      </div>
      <ApprovalList approvals={progress.approvals} isOver={isOver} />
      {progress.question ? (
        <QuestionCard question={progress.question} runApiPath={`/api/t/${rest.tenantSlug}/runs/${rest.runId}`} canAnswer={rest.canWrite} />
      ) : null}
      {text === '' ? null : <Markdown text={text} isStreaming={!isOver && progress.answer === null} />}
      <Ending {...rest} state={progress.state} error={progress.error} text={text} usage={usage} />
    </div>
  );
}

function needsPerson({ question, approvals }: RunProgress): boolean {
  return question?.state === 'OPEN' || approvals.some(({ state }) => state === 'OPEN');
}

function StoredAnswer({ message, summary, queuePlace: _queuePlace, compactions, pins, ...rest }: AnswerProps) {
  const t = useTranslations('chat.run');
  const state: RunState = summary?.state ?? stateOf(message);
  const { run, parts, failure, load } = useRunView(rest.tenantSlug, rest.runId);
  const usage = message?.usage ?? run?.usage ?? null;
  const path = usePathLine()(
    { path: run?.path ?? summary?.path ?? (usage ? 'llm' : null), pathReason: run?.pathReason ?? null },
    usage?.models ?? [],
  );
  const text = message?.text ?? run?.answer ?? '';
  const tones = run ? stepTones(run) : summary ? summaryTones(summary) : [runTone(state)];
  return (
    <div className="flex flex-col gap-3">
      <Markers compactions={compactions ?? []} pins={pins} />
      <PlanStrip
        state={state}
        tones={tones}
        stepCount={run?.plan?.stages ? stepCountOf(run.plan) : (summary?.stepCount ?? run?.stepCount ?? 0)}
        summary={joinParts(
          path,
          run?.plan?.intent.rationale ??
            (summary && summary.callsFailed > 0 ? t('failedCalls', { count: summary.callsFailed }) : undefined),
        )}
        elapsedMs={summary?.durationMs ?? null}
        isSticky={false}
        onOpen={load}
      >
        {run ? (
          <div className="flex flex-col gap-4">
            <PlanDetails run={run} />
            {parts ? (
              <div className="empty:hidden">
                <ReasoningFold reasoning={parts.reasoning} isThinking={false} />
                <HandoffList handoffs={parts.handoffs} isOver />
              </div>
            ) : null}
            <ApprovalList approvals={run.approvals} isOver />
            <ToolGroup invocations={run.invocations} runPath={`/${rest.tenantSlug}/runs/${rest.runId}`} runState={run.state} />
          </div>
        ) : failure ? (
          <FailureNotice failure={failure} />
        ) : (
          <SkeletonRows rows={3} />
        )}
      </PlanStrip>
      {text === '' ? null : <Markdown text={text} />}
      <Ending {...rest} state={state} error={run?.error ?? null} text={text} usage={usage} />
    </div>
  );
}

function Markers({ compactions, pins }: { compactions: readonly CompactionView[]; pins: AnswerProps['pins'] }) {
  return compactions.map((compaction) => <CompactionMarker key={compaction.path} compaction={compaction} pins={pins} />);
}

function joinParts(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}

function stateOf(message: MessageView | null): RunState {
  switch (message?.state) {
    case 'complete':
      return 'FINISH_OK';
    case 'stopped':
      return 'CANCELLED';
    case 'failed':
      return 'FINISH_ERROR';
    default:
      return 'RUNNING';
  }
}

type EndingProps = Pick<AnswerProps, 'tenantSlug' | 'runId' | 'canWrite' | 'onRetry' | 'isRetrying'> & {
  state: RunState;
  error: RunView['error'];
  text: string;
  usage: UsageView | null;
};

/** What can be done with an answer once it is over. How it ended the answer says itself, in the language of its message. */
function Ending({ tenantSlug, runId, canWrite, onRetry, isRetrying, state, error, text, usage }: EndingProps) {
  const t = useTranslations('chat.run');
  if (!hasEnded(state)) return null;
  return (
    <>
      {text === '' && error ? <ErrorState isAlert={false} cause={error.message} nextStep={t('failedNext')} /> : null}
      <div className="-ms-2 flex flex-wrap items-center gap-1">
        {text === '' ? null : <CopyButton value={text} isLabelled label={t('copy')} />}
        {canWrite ? (
          <Button look="quiet" size="small" disabled={isRetrying} onClick={onRetry}>
            <RotateCcwIcon aria-hidden />
            {isRetrying ? t('retrying') : t('retry')}
          </Button>
        ) : null}
        <Link href={`/${tenantSlug}/runs/${runId}`} className={buttonClasses({ look: 'quiet', size: 'small' })}>
          <ListTreeIcon aria-hidden />
          {t('seeRun')}
        </Link>
        {usage ? <UsageNote usage={usage} /> : null}
      </div>
    </>
  );
}
