'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { type PluginOperationView, type PluginView, pluginOperationView } from '#lib/plugins/contract.ts';
import { ConsentList } from './consent-list.tsx';
import { OperationStages } from './operation-stages.tsx';
import { refusedSettings } from './refused-settings.ts';
import { findDraftProblems, fromDraft, readFields, toDraft } from './settings-draft.ts';
import { SettingsFields } from './settings-fields.tsx';
import { useOperation } from './use-operation.ts';

interface InstallDialogProps {
  tenantSlug: string;
  plugin: PluginView;
  trigger: ReactNode;
}

/** One page: what it asks for, what has to be set, then its stages as they go on. */
export function InstallDialog({ tenantSlug, plugin, trigger }: InstallDialogProps) {
  const t = useTranslations('marketplace.install');
  const locale = useLocale();
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [hasBegun, setHasBegun] = useState(false);
  const isUpgrade = plugin.installedVersion !== null;
  const title = { name: plugin.name[locale], version: plugin.version };
  const onOpenChange = (willBeOpen: boolean) => {
    setIsOpen(willBeOpen);
    // Not before: the page as it is after the installation has no such dialog, and its stages are still being read.
    if (!willBeOpen && hasBegun) router.refresh();
    setHasBegun(false);
  };
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogPanel title={isUpgrade ? t('upgradeTitle', title) : t('title', title)} description={t('description')}>
        <InstallForm tenantSlug={tenantSlug} plugin={plugin} isUpgrade={isUpgrade} onBegun={() => setHasBegun(true)} />
      </DialogPanel>
    </Dialog>
  );
}

/** Lives as long as the dialog is open, so that consent given once is not there the next time. */
function InstallForm({
  tenantSlug,
  plugin,
  isUpgrade,
  onBegun,
}: Omit<InstallDialogProps, 'trigger'> & { isUpgrade: boolean; onBegun: () => void }) {
  const t = useTranslations('marketplace.install');
  const locale = useLocale();
  const fields = readFields(plugin.configurationSchema);
  const [hasConsent, setHasConsent] = useState(plugin.permissions.length === 0);
  const [draft, setDraft] = useState(() => toDraft(fields, plugin.configuration.values));
  const [isTried, setIsTried] = useState(false);
  const [isStarting, setIsStarting] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const [begun, setBegun] = useState<PluginOperationView | null>(null);
  const operation = useOperation(tenantSlug, begun);
  const { secretHints } = plugin.configuration;
  const problems = findDraftProblems(fields, draft, new Set(Object.keys(secretHints)));
  const refused = refusedSettings(failure);
  const missing = plugin.dependsOn.filter(({ isInstalled }) => !isInstalled);

  const start = async () => {
    setIsTried(true);
    if (Object.keys(problems).length > 0) return;
    setIsStarting(true);
    setFailure(null);
    try {
      const permissions = plugin.permissions.map(({ permission }) => permission);
      const body = { version: plugin.version, permissions, configuration: fromDraft(fields, draft) };
      setBegun(await requestJson(`/api/t/${tenantSlug}/marketplace/${plugin.id}/install`, pluginOperationView, { method: 'POST', body }));
      onBegun();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    }
    setIsStarting(false);
  };

  if (operation) return <Progress operation={operation} name={plugin.name[locale]} isUpgrade={isUpgrade} onRetry={() => setBegun(null)} />;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {missing.length > 0 ? (
        <p className="text-ui text-warn">{t('needsPlugins', { names: missing.map(({ name }) => name[locale]).join(', ') })}</p>
      ) : null}
      <section aria-labelledby="install-consent" className="flex flex-col gap-2">
        <h3 id="install-consent" className="text-ui font-semibold">
          {t('consent')}
        </h3>
        <ConsentList permissions={plugin.permissions} isUpgrade={isUpgrade} />
        {plugin.permissions.length > 0 ? (
          <label className="touchable flex items-start gap-2 text-ui">
            <input
              type="checkbox"
              checked={hasConsent}
              onChange={(event) => setHasConsent(event.target.checked)}
              className="mt-0.5 size-4 accent-primary"
            />
            {t('consentTo')}
          </label>
        ) : null}
      </section>
      {fields.length > 0 ? (
        <section aria-labelledby="install-setup" className="flex flex-col gap-3">
          <h3 id="install-setup" className="text-ui font-semibold">
            {t('setup')}
          </h3>
          <SettingsFields
            fields={fields}
            draft={draft}
            secretHints={secretHints}
            problems={isTried ? problems : {}}
            refused={refused}
            onChange={(name, value) => setDraft((before) => ({ ...before, [name]: value }))}
          />
        </section>
      ) : null}
      <p className="text-meta text-muted-foreground">{t('who')}</p>
      {failure && Object.keys(refused).length === 0 ? <FailureNotice failure={failure} /> : null}
      <div className="flex flex-wrap justify-end gap-2">
        <DialogClose asChild>
          <Button look="quiet">{t('cancel')}</Button>
        </DialogClose>
        <Button type="submit" look="primary" disabled={!hasConsent || isStarting || missing.length > 0}>
          {isStarting ? t('starting') : isUpgrade ? t('upgrade') : t('start')}
        </Button>
      </div>
    </form>
  );
}

interface ProgressProps {
  operation: PluginOperationView;
  name: string;
  isUpgrade: boolean;
  onRetry: () => void;
}

function Progress({ operation, name, isUpgrade, onRetry }: ProgressProps) {
  const t = useTranslations('marketplace.install');
  const stages = useTranslations('marketplace.stages');
  return (
    <div className="flex flex-col gap-3">
      <OperationStages operation={operation} />
      {operation.error ? (
        <ErrorState
          cause={t('failed', { stage: stages(operation.error.stage) })}
          nextStep={operation.error.message}
          action={<Button onClick={onRetry}>{t('retry')}</Button>}
        />
      ) : null}
      <p role="status" className="text-ui">
        {operation.state === 'SUCCEEDED' ? (isUpgrade ? t('doneUpgrade', { name }) : t('done', { name })) : null}
      </p>
      <div className="flex justify-end">
        <DialogClose asChild>
          <Button look={operation.state === 'SUCCEEDED' ? 'primary' : 'quiet'}>{t('close')}</Button>
        </DialogClose>
      </div>
    </div>
  );
}
