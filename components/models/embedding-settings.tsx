'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { type DocumentSearchView, documentSearchView, type EmbeddingTestView, embeddingTestView } from '#lib/knowledge/contract.ts';
import type { ModelsView } from '#lib/models/contract.ts';
import { EmbeddingProgress } from './embedding-progress.tsx';
import { parseMicros, writeMicros } from './price-micros.ts';

interface EmbeddingSettingsProps {
  search: DocumentSearchView;
  providers: ModelsView['providers'];
  canManage: boolean;
}

type Doing = 'saving' | 'testing' | 'removing' | null;

/** What a workspace's documents are searched by, and the embedding model that searches by meaning need (requirement H-29). */
export function EmbeddingSettings({ search, providers, canManage }: EmbeddingSettingsProps) {
  const t = useTranslations('models.embedding');
  const { tenant } = useMe();
  const router = useRouter();
  const chosen = search.builds ?? search.serves;
  const able = providers.filter(({ kind }) => kind !== 'anthropic');
  const [providerId, setProviderId] = useState(chosen?.provider.id ?? able[0]?.id ?? '');
  const [model, setModel] = useState(chosen?.model ?? '');
  const [price, setPrice] = useState(chosen?.price ? writeMicros(chosen.price.inputMicros) : '');
  const [currency, setCurrency] = useState(chosen?.price?.currency ?? 'USD');
  const [doing, setDoing] = useState<Doing>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const [test, setTest] = useState<EmbeddingTestView | null>(null);
  const [isPriceWrong, setIsPriceWrong] = useState(false);
  const path = `/api/t/${tenant.slug}/models/embedding`;

  const bodyOf = () => {
    const micros = price.trim() === '' ? null : parseMicros(price);
    const isWrong = price.trim() !== '' && (micros === null || !/^[A-Z]{3}$/.test(currency));
    setIsPriceWrong(isWrong);
    return isWrong ? null : { providerId, model, price: micros === null ? null : { currency, inputMicros: micros } };
  };
  const run = async (what: Exclude<Doing, null>, work: () => Promise<unknown>) => {
    setDoing(what);
    setFailure(null);
    setTest(null);
    try {
      await work();
      if (what !== 'testing') router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setDoing(null);
    }
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf();
    if (body) void run('saving', () => requestJson(path, documentSearchView, { method: 'PUT', body }));
  };
  const tryOut = () => {
    const body = bodyOf();
    if (body) void run('testing', async () => setTest(await requestJson(`${path}/test`, embeddingTestView, { method: 'POST', body })));
  };
  const isReady = search.extension === 'ready';
  const cannotAsk = doing !== null || model.trim() === '' || providerId === '';
  return (
    <div className="flex flex-col gap-4">
      <EmbeddingProgress search={search} />
      {!canManage || !isReady ? null : able.length === 0 ? (
        <p className="text-ui text-muted-foreground">{t('needsProvider')}</p>
      ) : (
        <form noValidate onSubmit={save} className="flex flex-col gap-4">
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label={t('provider')} hint={t('providerHint')}>
              {(control) => (
                <Select {...control} value={providerId} onChange={(event) => setProviderId(event.target.value)}>
                  {able.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label={t('model')} hint={t('modelHint')}>
              {(control) => (
                <Input
                  {...control}
                  value={model}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  className="font-mono"
                  onChange={(event) => setModel(event.target.value)}
                />
              )}
            </Field>
            <Field label={t('price')} hint={t('priceHint')} problem={isPriceWrong ? t('priceWrong') : null}>
              {(control) => (
                <Input
                  {...control}
                  value={price}
                  inputMode="decimal"
                  className="tabular"
                  onChange={(event) => setPrice(event.target.value)}
                />
              )}
            </Field>
            <Field label={t('currency')}>
              {(control) => (
                <Input {...control} value={currency} maxLength={3} onChange={(event) => setCurrency(event.target.value.toUpperCase())} />
              )}
            </Field>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" disabled={cannotAsk}>
              {doing === 'saving' ? t('saving') : t('save')}
            </Button>
            <Button look="outline" disabled={cannotAsk} onClick={tryOut}>
              {doing === 'testing' ? t('testing') : t('test')}
            </Button>
            {chosen ? (
              <Button
                look="quiet"
                disabled={doing !== null}
                onClick={() => void run('removing', () => requestDone(path, { method: 'DELETE' }))}
              >
                {doing === 'removing' ? t('removing') : t('remove')}
              </Button>
            ) : null}
          </div>
        </form>
      )}
      {test ? (
        <p role="status" className="flex items-baseline gap-2 text-ui">
          <StateGlyph tone={test.ok ? 'ok' : 'error'} />
          <span className="min-w-0 break-words">
            {test.ok ? t('passed', { dimensions: test.dimensions ?? 0, ms: test.ms }) : t('failed', { detail: test.detail ?? '' })}
          </span>
        </p>
      ) : null}
      {failure ? <FailureNotice failure={failure} /> : null}
    </div>
  );
}
