'use client';

import { useRouter } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Fact, Facts } from '#components/ui/facts.tsx';
import { Badge } from '#components/ui/state-chip.tsx';
import { Time, TimeAgo } from '#components/ui/time.tsx';
import { type ModelProviderView, type ProviderTestView, providerTestView } from '#lib/models/contract.ts';
import { DeleteProvider } from './delete-provider.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { SETTING_FIELDS } from './provider-draft.ts';
import { TestReport } from './test-report.tsx';

const MICROS = 1_000_000;

/** One provider: what is set, whether it answers, and what can be done with it. */
export function ProviderCard({ provider, canManage }: { provider: ModelProviderView; canManage: boolean }) {
  const t = useTranslations('models');
  const { tenant } = useMe();
  const router = useRouter();
  const [runningSince, setRunningSince] = useState<number | null>(null);
  const [isChanging, setIsChanging] = useState(false);
  const [fresh, setFresh] = useState<{ of: string; test: ProviderTestView } | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const path = `/api/t/${tenant.slug}/models/providers/${provider.id}`;
  const test = async () => {
    setFailure(null);
    setRunningSince(Date.now());
    try {
      setFresh({ of: provider.updatedAt, test: await requestJson(`${path}/test`, providerTestView, { method: 'POST' }) });
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setRunningSince(null);
    }
  };
  const makeDefault = async () => {
    setFailure(null);
    setIsChanging(true);
    try {
      await requestDone(path, { method: 'PATCH', body: { isDefault: true } });
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setIsChanging(false);
    }
  };
  // A test of what was set before says nothing of what is set now.
  const shown = fresh?.of === provider.updatedAt ? fresh.test : provider.lastTest;
  const isRunning = runningSince !== null;
  return (
    <li className="flex flex-col gap-3 rounded-card border border-border bg-card p-4">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="min-w-0 text-chat font-semibold break-words">{provider.name}</h3>
        <Badge>{t(`kinds.${provider.kind}`)}</Badge>
        {provider.isDefault ? <Badge className="border-primary text-foreground">{t('providers.default')}</Badge> : null}
        {canManage ? (
          <div className="flex flex-wrap items-center gap-1 sm:ms-auto">
            <Button size="small" onClick={() => void test()} disabled={isRunning}>
              {shown ? t('test.again') : t('test.open')}
            </Button>
            {provider.isDefault ? null : (
              <Button look="quiet" size="small" onClick={() => void makeDefault()} disabled={isChanging}>
                {isChanging ? t('providers.makingDefault') : t('providers.makeDefault')}
              </Button>
            )}
            <ProviderDialog
              provider={provider}
              trigger={
                <Button look="quiet" size="small" aria-label={t('providers.editNamed', { name: provider.name })}>
                  {t('providers.edit')}
                </Button>
              }
            />
            <DeleteProvider provider={provider} />
          </div>
        ) : null}
      </div>
      <Facts>
        <Fact name={t('providers.model')}>
          <code className="font-mono break-all">{provider.model}</code>
        </Fact>
        <Fact name={t('providers.address')}>
          {provider.baseUrl === null ? t('providers.ownAddress') : <code className="font-mono break-all">{provider.baseUrl}</code>}
        </Fact>
        <Fact name={t('providers.key')}>
          {provider.keyHint === null ? (
            t('providers.noKey')
          ) : (
            <>
              <code className="font-mono">{t('providers.keyEnds', { hint: provider.keyHint })}</code>
              {provider.keySet ? (
                <span className="text-muted-foreground">
                  {' · '}
                  <TimeAgo at={provider.keySet.at} />
                  {provider.keySet.by === null ? '' : ` · ${provider.keySet.by}`}
                </span>
              ) : null}
            </>
          )}
        </Fact>
        <Fact name={t('providers.prices')}>
          <Prices price={provider.price} />
          {provider.priceSetAt ? (
            <span className="text-muted-foreground">
              {' · '}
              {t('providers.pricedSince')} <Time at={provider.priceSetAt} look="day" />
            </span>
          ) : null}
          {provider.laterPrices.map(({ from, price }) => (
            <span key={from} className="block text-muted-foreground">
              {t('providers.pricedFrom')} <Time at={from} look="day" />: <Prices price={price} />
            </span>
          ))}
        </Fact>
        <SettingsRow provider={provider} />
        <Fact name={t('providers.changed')}>
          <TimeAgo at={provider.updatedAt} />
        </Fact>
      </Facts>
      {failure ? <FailureNotice failure={failure} /> : null}
      <TestReport test={shown} runningSince={runningSince} />
    </li>
  );
}

function Prices({ price }: { price: ModelProviderView['price'] }) {
  const t = useTranslations('models.providers');
  const format = useFormatter();
  if (price === null) return <span className="text-muted-foreground">{t('noPrice')}</span>;
  const amount = (micros: number) =>
    format.number(micros / MICROS, { style: 'currency', currency: price.currency, minimumFractionDigits: 2, maximumFractionDigits: 6 });
  return t('price', {
    input: amount(price.inputMicros),
    cached: amount(price.cachedInputMicros),
    written: amount(price.cacheWriteMicros),
    output: amount(price.outputMicros),
  });
}

function SettingsRow({ provider: { settings } }: { provider: ModelProviderView }) {
  const t = useTranslations('models');
  const set = SETTING_FIELDS.filter((field) => settings[field] !== undefined);
  if (set.length === 0) return null;
  return <Fact name={t('providers.settings')}>{set.map((field) => `${t(`form.${field}`)} ${settings[field]}`).join(' · ')}</Fact>;
}
