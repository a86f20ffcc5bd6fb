'use client';

import { PlusIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Section } from '#components/ui/section.tsx';
import { Badge } from '#components/ui/state-chip.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import type { DocumentSearchView } from '#lib/knowledge/contract.ts';
import type { ModelsView } from '#lib/models/contract.ts';
import { EmbeddingSettings } from './embedding-settings.tsx';
import { FallbackOrder } from './fallback-order.tsx';
import { PolicySwitches } from './policy-switches.tsx';
import { ProviderCard } from './provider-card.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { reasonOfUse } from './reason-of-use.ts';

interface ModelsSettingsProps {
  models: ModelsView;
  /** null: this person may not read documents. */
  search: DocumentSearchView | null;
  canManage: boolean;
}

/** What a workspace's runs think with: what is in use and why, the policy, the operator's offer, the workspace's own providers. */
export function ModelsSettings({ models, search, canManage }: ModelsSettingsProps) {
  const t = useTranslations('models');
  const { policy, providers, offered } = models;
  const add = canManage ? (
    <ProviderDialog
      provider={null}
      trigger={
        <Button look={providers.length === 0 ? 'primary' : 'outline'}>
          <PlusIcon aria-hidden />
          {t('providers.add')}
        </Button>
      }
    />
  ) : null;
  return (
    <SettingsPage title={t('title')} intro={canManage ? t('intro') : t('readOnly')}>
      <Section title={t('use.title')}>
        <InUse models={models} />
      </Section>
      <Section title={t('policy.title')}>
        <PolicySwitches key={JSON.stringify(policy)} policy={policy} canManage={canManage} />
      </Section>
      <Section title={t('providers.title')} action={providers.length > 0 ? add : null}>
        {providers.length === 0 ? (
          <EmptyState title={t('providers.empty')} example={t('providers.example')} action={add} className="py-2">
            {t('providers.emptyBody')}
          </EmptyState>
        ) : (
          <ul className="flex flex-col gap-3">
            {providers.map((provider) => (
              <ProviderCard key={provider.id} provider={provider} canManage={canManage} />
            ))}
          </ul>
        )}
      </Section>
      {providers.length > 1 ? (
        <Section title={t('fallbacks.title')}>
          <FallbackOrder
            key={JSON.stringify([policy, providers.map(({ id }) => id)])}
            policy={policy}
            providers={providers}
            canManage={canManage}
          />
        </Section>
      ) : null}
      {search ? (
        <Section title={t('embedding.title')} intro={t('embedding.intro')}>
          <EmbeddingSettings
            key={JSON.stringify([search.builds?.model, search.serves?.model, providers.map(({ id }) => id)])}
            search={search}
            providers={providers}
            canManage={canManage}
          />
        </Section>
      ) : null}
      <Section title={t('offer.title')}>
        {offered ? (
          <>
            <p className="text-ui font-medium">{t('offer.some', { kind: t(`kinds.${offered.kind}`), model: offered.model })}</p>
            <p className="text-ui text-muted-foreground">{t('offer.readOnly')}</p>
          </>
        ) : (
          <p className="text-ui text-muted-foreground">{t('offer.none')}</p>
        )}
      </Section>
    </SettingsPage>
  );
}

function InUse({ models }: { models: ModelsView }) {
  const t = useTranslations('models');
  const { inUse, policy } = models;
  const reason = reasonOfUse(models);
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-2 text-chat font-semibold">
        {inUse ? (
          <>
            <StateGlyph tone="ok" />
            <span className="break-all">{t('use.model', { kind: t(`kinds.${inUse.kind}`), model: inUse.model })}</span>
          </>
        ) : (
          <Badge className="text-ui text-foreground">
            <StateGlyph tone="idle" />
            {t('use.deterministic')}
          </Badge>
        )}
      </p>
      <p className="text-ui text-muted-foreground">
        {reason.key === 'workspace' ? t('use.reasons.workspace', { name: reason.name }) : t(`use.reasons.${reason.key}`)}
      </p>
      {inUse ? <p className="text-ui text-muted-foreground">{policy.fallsBack ? t('use.fallback') : t('use.noFallback')}</p> : null}
    </div>
  );
}
