import { useTranslations } from 'next-intl';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { Tone } from '#components/ui/state-glyph.tsx';
import type { PluginStateName } from '#lib/plugins/contract.ts';

const TONES: { readonly [State in PluginStateName]: Tone } = {
  available: 'idle',
  installing: 'active',
  installed: 'ok',
  disabled: 'stopped',
  'needs-setup': 'warn',
  update: 'waiting',
  'needs-consent': 'warn',
  'built-in': 'ok',
  withdrawn: 'stopped',
};

/** How a plugin stands in this workspace. */
export function PluginStateChip({ state }: { state: PluginStateName }) {
  const t = useTranslations('marketplace.states');
  return <StateChip tone={TONES[state]}>{t(state)}</StateChip>;
}
