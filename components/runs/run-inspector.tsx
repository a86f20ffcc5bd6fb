'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Markdown } from '#components/chat/markdown.tsx';
import { Duration } from '#components/ui/duration.tsx';
import { JsonView } from '#components/ui/json-view.tsx';
import { Time } from '#components/ui/time.tsx';
import type { TracedRun } from '#lib/record/contract.ts';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import { modelActivity } from './model-activity.ts';
import { ModelCallRow } from './model-call-row.tsx';
import { PlanDetails } from './plan-details.tsx';
import { InvocationStateChip } from './run-state-chip.tsx';
import { useSpanLabel } from './span-label.tsx';
import { modelSpanId, type TimelineSpan } from './timeline-spans.ts';
import { Transitions } from './transitions.tsx';
import { useSelectedEvent } from './use-selected-event.ts';
import { useSelectedInvocation } from './use-selected-invocation.ts';

interface RunInspectorProps {
  run: TracedRun;
  spans: readonly TimelineSpan[];
  /** What shaped the run. */
  events: readonly RunEventView[];
  /** What of the log has been read. */
  log: readonly RunEventView[];
  selected: string | null;
}

/** All that is recorded of what is selected; of the run as a whole, what went in and what came out. */
export function RunInspector({ run, spans, events, log, selected }: RunInspectorProps) {
  const t = useTranslations('runs.inspector');
  const labelOf = useSpanLabel();
  const invocation = run.invocations.find(({ id }) => id === selected);
  const content = useSelectedInvocation(run, invocation);
  const event = useSelectedEvent(run, selected, log);
  const span = spans.find(({ id }) => id === selected);
  if (invocation) {
    return (
      <Panel title={span ? labelOf(span) : invocation.capabilityId}>
        <Facts>
          <Fact name={t('state')}>
            <InvocationStateChip state={invocation.state} />
          </Fact>
          <Fact name={t('capability')}>
            <code className="font-mono text-meta break-all">{invocation.capabilityId}</code>
          </Fact>
          {invocation.capabilityVersion ? <Fact name={t('version')}>{invocation.capabilityVersion}</Fact> : null}
          <Fact name={t('attempt')}>{invocation.attempt}</Fact>
          {span ? (
            <Fact name={t('took')}>
              <Duration milliseconds={(span.toMs ?? span.fromMs) - span.fromMs} />
            </Fact>
          ) : null}
        </Facts>
        {invocation.error ? (
          <Part title={t('error')}>
            <p className="text-ui text-destructive">
              {invocation.error.message} <code className="font-mono text-meta">{invocation.error.code}</code>
            </p>
          </Part>
        ) : null}
        <Part title={t('arguments')}>{content ? <JsonView value={content.arguments} label={t('arguments')} /> : <Reading />}</Part>
        <Part title={t('output')}>
          {content === null ? (
            <Reading />
          ) : content.output ? (
            <JsonView value={content.output} label={t('output')} />
          ) : (
            <p className="text-ui text-muted-foreground">{t('nothing')}</p>
          )}
        </Part>
        <Part title={t('transitions')}>
          <Transitions invocation={invocation} />
        </Part>
      </Panel>
    );
  }
  if (event) {
    return (
      <Panel title={event.type}>
        <Facts>
          <Fact name={t('seq')}>{event.seq}</Fact>
          <Fact name={t('at')}>
            <Time at={event.at} look="precise" />
          </Fact>
        </Facts>
        <Part title={t('raw')}>
          <JsonView value={event} label={t('raw')} />
        </Part>
      </Panel>
    );
  }
  if (span?.kind === 'plan') {
    return (
      <Panel title={labelOf(span)}>
        <PlanDetails run={run} />
      </Panel>
    );
  }
  if (span?.kind === 'model') {
    const call = modelActivity(events).calls.find(({ seq }) => modelSpanId(seq) === span.id);
    return (
      <Panel title={labelOf(span)}>
        {call ? (
          <ul>
            <ModelCallRow call={call} />
          </ul>
        ) : null}
      </Panel>
    );
  }
  if (span && span.kind !== 'answer') {
    return (
      <Panel title={labelOf(span)}>
        <Facts>
          <Fact name={t('took')}>
            <Duration milliseconds={(span.toMs ?? span.fromMs) - span.fromMs} />
          </Fact>
        </Facts>
        {span.kind === 'question' && run.question ? (
          <Part title={t('question')}>
            <p className="text-ui">{run.question.text}</p>
            {run.question.answer ? (
              <p className="mt-1 text-ui font-medium">
                {run.question.options.find(({ value }) => value === run.question?.answer)?.label ?? run.question.answer}
              </p>
            ) : null}
          </Part>
        ) : null}
      </Panel>
    );
  }
  return (
    <Panel title={span ? labelOf(span) : t('whole')}>
      <Part title={t('input')}>
        <p className="said border-s-2 border-primary ps-3 whitespace-pre-wrap">{run.message}</p>
      </Part>
      <Part title={t('answer')}>
        {run.answer ? <Markdown text={run.answer} /> : <p className="text-ui text-muted-foreground">{t('nothing')}</p>}
      </Part>
      {run.error ? (
        <Part title={t('error')}>
          <p className="text-ui text-destructive">
            {run.error.message} <code className="font-mono text-meta">{run.error.code}</code>
          </p>
        </Part>
      ) : null}
    </Panel>
  );
}

/** Room for what is being read, so that nothing moves when it is there. */
function Reading() {
  return <div aria-hidden className="h-16 animate-breathe rounded-card border border-border bg-sunken" />;
}

function Panel({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-4 p-4">
      <h2 className="text-section font-semibold break-words">{title}</h2>
      {children}
    </div>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-1 text-meta text-muted-foreground">{title}</h3>
      {children}
    </section>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 text-ui">{children}</dl>;
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 tabular">{children}</dd>
    </>
  );
}
