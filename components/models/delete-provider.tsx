'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ConfirmDialog } from '#components/api/confirm-dialog.tsx';
import { requestDone } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import type { ModelProviderView } from '#lib/models/contract.ts';

/** Deletes a provider after a question that says what goes with it. */
export function DeleteProvider({ provider }: { provider: ModelProviderView }) {
  const t = useTranslations('models.remove');
  const { tenant } = useMe();
  const router = useRouter();
  return (
    <ConfirmDialog
      trigger={
        <Button look="quiet" size="small" className="text-destructive" aria-label={t('openNamed', { name: provider.name })}>
          {t('open')}
        </Button>
      }
      title={t('title', { name: provider.name })}
      description={provider.isDefault ? t('bodyDefault') : t('body')}
      confirm={t('confirm')}
      confirming={t('removing')}
      keep={t('keep')}
      onConfirm={() => requestDone(`/api/t/${tenant.slug}/models/providers/${provider.id}`, { method: 'DELETE' })}
      onDone={() => router.refresh()}
    />
  );
}
