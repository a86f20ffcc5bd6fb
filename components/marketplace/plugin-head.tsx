'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { Time } from '#components/ui/time.tsx';
import type { PluginView } from '#lib/plugins/contract.ts';
import { InstallDialog } from './install-dialog.tsx';
import { PluginIcon } from './plugin-icon.tsx';
import { PluginStateChip } from './plugin-state-chip.tsx';
import { RequestDialog } from './request-dialog.tsx';

/** What a plugin is, how it stands here, and what its reader may do about it. */
export function PluginHead({ plugin }: { plugin: PluginView }) {
  const t = useTranslations('marketplace');
  const locale = useLocale();
  const { tenant } = useMe();
  const versions = plugin.installedVersion;
  return (
    <div className="flex flex-col gap-3 px-4 pt-4">
      <Link href={`/${tenant.slug}/marketplace?view=all`} className="touchable w-fit text-meta text-muted-foreground hover:underline">
        {t('head.back')}
      </Link>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <PluginIcon icon={plugin.icon} />
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-page font-semibold">{plugin.name[locale]}</h1>
          <p className="max-w-[72ch] text-ui text-muted-foreground">{plugin.description[locale]}</p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-muted-foreground">
            <PluginStateChip state={plugin.state} />
            {plugin.publisher ? <span>{t('list.publisher', { publisher: plugin.publisher })}</span> : null}
            <span className="tabular">
              {versions === null || versions === plugin.version
                ? t('head.version', { version: plugin.version })
                : t('head.versionPair', { installed: versions, version: plugin.version })}
            </span>
            <code className="font-mono">{plugin.id}</code>
          </p>
        </div>
        <HeadActions plugin={plugin} />
      </div>
      <HeadNotes plugin={plugin} />
    </div>
  );
}

function HeadActions({ plugin }: { plugin: PluginView }) {
  const t = useTranslations('marketplace.head');
  const locale = useLocale();
  const router = useRouter();
  const { tenant, permissions } = useMe();
  const [isWorking, setIsWorking] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const change = async (request: () => Promise<void>) => {
    setIsWorking(true);
    setFailure(null);
    try {
      await request();
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    }
    setIsWorking(false);
  };
  const place = `/api/t/${tenant.slug}/marketplace/${plugin.id}`;
  const { state, ownRequest } = plugin;
  if (state === 'built-in' || state === 'installing' || state === 'withdrawn') return null;
  if (!permissions.includes('plugin:install')) {
    if (state !== 'available' || !permissions.includes('plugin:request')) return null;
    if (ownRequest) {
      const withdraw = () =>
        requestDone(`/api/t/${tenant.slug}/marketplace/requests/${ownRequest.id}`, { method: 'PATCH', body: { decision: 'withdraw' } });
      return (
        <Button disabled={isWorking} onClick={() => void change(withdraw)}>
          {t('withdraw')}
        </Button>
      );
    }
    const trigger = <Button look="primary">{t('request')}</Button>;
    return <RequestDialog tenantSlug={tenant.slug} pluginId={plugin.id} name={plugin.name[locale]} trigger={trigger} />;
  }
  const canInstall = state === 'available' || state === 'update' || state === 'needs-consent';
  const label = state === 'available' ? t('install') : state === 'needs-consent' ? t('consent') : t('upgrade');
  return (
    <div className="flex max-w-full flex-col items-end gap-2">
      <div className="flex flex-wrap gap-2">
        {plugin.installedVersion === null ? null : (
          <Button
            disabled={isWorking}
            onClick={() => void change(() => requestDone(place, { method: 'PATCH', body: { isEnabled: state === 'disabled' } }))}
          >
            {state === 'disabled' ? t('enable') : t('disable')}
          </Button>
        )}
        {state === 'needs-setup' ? (
          <Link href={`/${tenant.slug}/marketplace/${plugin.id}?tab=config`} className={buttonClasses({ look: 'primary' })}>
            {t('setUp')}
          </Link>
        ) : null}
        {canInstall ? <InstallDialog tenantSlug={tenant.slug} plugin={plugin} trigger={<Button look="primary">{label}</Button>} /> : null}
      </div>
      {failure ? <FailureNotice failure={failure} /> : null}
    </div>
  );
}

/** What is to be known before anything else, each in a line. */
function HeadNotes({ plugin }: { plugin: PluginView }) {
  const t = useTranslations('marketplace.head');
  const { state, ownRequest, missingSettings, needs } = plugin;
  return (
    <div className="flex flex-col gap-1 text-ui text-muted-foreground empty:hidden">
      {state === 'built-in' ? <p>{t('builtIn')}</p> : null}
      {state === 'withdrawn' ? <p>{t('withdrawnNote')}</p> : null}
      {state === 'disabled' ? <p>{t('disabledNote')}</p> : null}
      {state === 'needs-setup' ? <p className="text-warn">{t('missing', { names: missingSettings.join(', ') })}</p> : null}
      {needs === 'model' ? <p>{t('needsModel')}</p> : null}
      {ownRequest ? (
        <p>
          {t('asked')} <Time at={ownRequest.createdAt} />
        </p>
      ) : null}
    </div>
  );
}
