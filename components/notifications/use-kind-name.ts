'use client';

import { useTranslations } from 'next-intl';
import type { DeliveryView } from '#lib/notifications/contract.ts';

/** What a kind of notification is called. */
export function useKindName(): (kind: DeliveryView['kind']) => string {
  const t = useTranslations('notifications.kinds');
  const names: { readonly [Kind in DeliveryView['kind']]: string } = {
    'approval.requested': t('approval-requested'),
    'question.asked': t('question-asked'),
    'budget.soft-limit': t('budget-soft-limit'),
    'budget.refused': t('budget-refused'),
    'webhook.test': t('webhook-test'),
  };
  return (kind) => names[kind];
}
