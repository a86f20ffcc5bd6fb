'use client';

import { useTranslations } from 'next-intl';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { InvocationState, RunState } from '#lib/supervisor/contract.ts';
import { invocationTone, runTone } from './run-tones.ts';

export function RunStateChip({ state }: { state: RunState }) {
  const t = useTranslations('states.run');
  return <StateChip tone={runTone(state)}>{t(state)}</StateChip>;
}

export function InvocationStateChip({ state }: { state: InvocationState }) {
  const t = useTranslations('states.invocation');
  return <StateChip tone={invocationTone(state)}>{t(state)}</StateChip>;
}
