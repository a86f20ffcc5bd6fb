import { useTranslations } from 'next-intl';
import { StateChip } from '#components/ui/state-chip.tsx';
import type { Tone } from '#components/ui/state-glyph.tsx';
import type { McpServerView } from '#lib/mcp/contract.ts';

type Shown = 'off' | 'unchecked' | 'connected' | 'empty' | 'failed' | 'sign-in-needed';

const TONES: { readonly [State in Shown]: Tone } = {
  off: 'stopped',
  unchecked: 'queued',
  connected: 'ok',
  empty: 'warn',
  failed: 'error',
  'sign-in-needed': 'waiting',
};

/** What a server's state is to a reader: connected without tools is no success. */
function shownState({ isEnabled, state, tools }: Pick<McpServerView, 'isEnabled' | 'state' | 'tools'>): Shown {
  if (!isEnabled) return 'off';
  return state === 'connected' && tools.listed === 0 ? 'empty' : state;
}

export function ServerState({ server }: { server: McpServerView }) {
  const t = useTranslations('mcp.states');
  const state = shownState(server);
  return <StateChip tone={TONES[state]}>{t(state)}</StateChip>;
}
