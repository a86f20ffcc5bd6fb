import { useTranslations } from 'next-intl';
import { StateGlyph, type Tone } from '#components/ui/state-glyph.tsx';
import type { PluginOperationView } from '#lib/plugins/contract.ts';

const TONES: { readonly [State in PluginOperationView['stages'][number]['state']]: Tone } = {
  done: 'ok',
  running: 'active',
  failed: 'error',
  waiting: 'queued',
};

/** The stages of an installation, each as word and shape. */
export function OperationStages({ operation }: { operation: PluginOperationView }) {
  const t = useTranslations('marketplace');
  return (
    <ol aria-label={t('install.progress')} className="border-y border-border">
      {operation.stages.map(({ stage, state }) => (
        <li key={stage} className="flex h-8 items-center gap-2 border-b border-border text-ui last:border-b-0">
          <StateGlyph tone={TONES[state]} />
          <span className={state === 'waiting' ? 'text-muted-foreground' : ''}>{t(`stages.${stage}`)}</span>
          <span className="ms-auto text-meta text-muted-foreground">{t(`stageStates.${state}`)}</span>
        </li>
      ))}
    </ol>
  );
}
