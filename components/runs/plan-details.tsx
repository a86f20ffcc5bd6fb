'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { InvocationView, RunView } from '#lib/supervisor/contract.ts';
import { InvocationStateChip } from './run-state-chip.tsx';
import { StageList } from './stage-list.tsx';

interface PlanDetailsProps {
  run: Pick<RunView, 'plan' | 'path' | 'pathReason'> & { invocations: readonly Pick<InvocationView, 'step' | 'state' | 'capabilityId'>[] };
}

/** Why the run does what it does: intent, path, steps, and what else was weighed. */
export function PlanDetails({ run: { plan, path, pathReason, invocations } }: PlanDetailsProps) {
  const t = useTranslations('runs.plan');
  const format = useFormatter();
  const titleOf = useCapabilityTitle();
  return (
    <div className="flex flex-col gap-4 text-ui">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {plan ? (
          <>
            <dt className="text-muted-foreground">{t('intent')}</dt>
            <dd>
              <span className="font-medium">{isKnownIntent(plan.intent.kind) ? t(`intents.${plan.intent.kind}`) : plan.intent.kind}</span>{' '}
              <span className="text-muted-foreground tabular">
                {t('confidence', { value: format.number(plan.intent.confidence, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) })}
              </span>
            </dd>
            <dt className="text-muted-foreground">{t('rationale')}</dt>
            <dd>{plan.intent.rationale}</dd>
          </>
        ) : null}
        {path ? (
          <>
            <dt className="text-muted-foreground">{t('path')}</dt>
            <dd>
              <span className="font-medium">{t(`paths.${path}`)}</span>
              {pathReason ? <span className="text-muted-foreground">{`: ${pathReason.text}`}</span> : null}
            </dd>
          </>
        ) : null}
      </dl>
      {plan?.stages ? <StageList stages={plan.stages} /> : null}
      {plan && plan.steps.length > 0 ? (
        <section>
          <p className="text-meta text-muted-foreground">{t(plan.stages ? 'calls' : 'steps')}</p>
          <ol className="mt-1 border-t border-border">
            {plan.steps.map((step, index) => {
              const call = invocations.findLast((invocation) => invocation.step === index);
              return (
                <li key={index} className="grid grid-cols-[1.5rem_1fr_auto] items-baseline gap-x-2 border-b border-border py-1.5">
                  <span className="text-meta text-muted-foreground tabular">{index + 1}</span>
                  <span className="min-w-0">
                    <span className="font-medium">{titleOf(step.capabilityId) ?? step.capabilityId}</span>{' '}
                    <code className="font-mono text-meta text-muted-foreground">{step.capabilityId}</code>
                    <span className="block text-muted-foreground">{step.rationale}</span>
                    {step.clause ? <q className="block text-meta text-muted-foreground">{step.clause}</q> : null}
                  </span>
                  {call ? <InvocationStateChip state={call.state} /> : <StateChip tone="idle">{t('notStarted')}</StateChip>}
                </li>
              );
            })}
          </ol>
        </section>
      ) : null}
      {plan && plan.candidates.length > 0 ? (
        <section>
          <p className="text-meta text-muted-foreground">{t('candidates')}</p>
          <ul className="mt-1 border-t border-border">
            {plan.candidates.map((candidate) => {
              const isChosen = plan.steps.some(({ capabilityId }) => capabilityId === candidate.capabilityId);
              return (
                <li
                  key={candidate.capabilityId}
                  className="grid grid-cols-[3rem_3.5rem_1fr] items-center gap-x-3 border-b border-border py-1"
                >
                  <span className="text-end font-mono text-meta tabular">
                    {format.number(candidate.score, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
                  </span>
                  <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="h-1 w-full bg-border">
                    <rect
                      width={Math.round(candidate.score * 100)}
                      height="4"
                      fill={isChosen ? 'var(--primary)' : 'var(--muted-foreground)'}
                    />
                  </svg>
                  <span className="min-w-0">
                    <code className={joinClasses('font-mono text-meta', isChosen ? 'font-semibold' : 'text-muted-foreground')}>
                      {candidate.capabilityId}
                    </code>{' '}
                    <span className="text-meta text-muted-foreground">{candidate.reasons.join(', ')}</span>
                  </span>
                </li>
              );
            })}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

const INTENTS = ['task', 'greeting', 'help', 'clarify', 'unsupported', 'empty'] as const;

export function isKnownIntent(kind: string): kind is (typeof INTENTS)[number] {
  return (INTENTS as readonly string[]).includes(kind);
}
