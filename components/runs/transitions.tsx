'use client';

import { useTranslations } from 'next-intl';
import { Time } from '#components/ui/time.tsx';
import type { InvocationView } from '#lib/supervisor/contract.ts';
import { InvocationStateChip } from './run-state-chip.tsx';

/** Every state a call went through, with its time and reason. */
export function Transitions({ invocation }: { invocation: Pick<InvocationView, 'transitions'> }) {
  const t = useTranslations('runs.call');
  if (invocation.transitions.length === 0) return <p className="text-ui text-muted-foreground">{t('noTransitions')}</p>;
  return (
    <ol className="text-meta">
      {invocation.transitions.map((transition, index) => (
        <li
          key={index}
          className="grid grid-cols-[7.5rem_9rem_1fr] items-center gap-x-3 border-b border-border py-1 last:border-b-0 max-sm:grid-cols-[1fr_auto]"
        >
          <span className="font-mono text-muted-foreground">
            <Time at={transition.at} look="precise" />
          </span>
          <InvocationStateChip state={transition.to} />
          <span className="min-w-0 text-muted-foreground max-sm:col-span-2">{transition.reason}</span>
        </li>
      ))}
    </ol>
  );
}
