import { useTranslations } from 'next-intl';
import type { RunView } from '#lib/supervisor/contract.ts';

const REASONS = ['no-model', 'model-disabled', 'model-failed', 'pipeline'] as const;

/** Who answered and why, in the interface's language; empty while the path has not been chosen. */
export function usePathLine(): (run: Pick<RunView, 'path' | 'pathReason'>, models: readonly string[]) => string {
  const t = useTranslations('chat.model');
  return ({ path, pathReason }, models) => {
    if (path === null) return '';
    if (path === 'llm') return models.length > 0 ? t('answeredBy', { model: models.join(', ') }) : t('answeredByModel');
    const reason = REASONS.find((code) => code === pathReason?.code);
    return reason ? t(`planner.${reason}`) : t('plannerOnly');
  };
}
