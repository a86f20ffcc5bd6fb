import { useFormatter, useTranslations } from 'next-intl';
import type { UsageView } from '#lib/conversations/contract.ts';

const MICROS = 1_000_000;

/** A cost as money, small amounts with as many digits as say something; no price is never shown as nothing to pay. */
export function useCostText(): (cost: UsageView['cost']) => string {
  const t = useTranslations('chat.usage');
  const format = useFormatter();
  return (cost) => {
    if (cost === null) return t('noPrice');
    const amount = cost.micros / MICROS;
    const maximumFractionDigits = amount >= 1 ? 2 : amount >= 0.001 ? 4 : 6;
    return format.number(amount, { style: 'currency', currency: cost.currency, minimumFractionDigits: 2, maximumFractionDigits });
  };
}
