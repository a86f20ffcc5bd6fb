'use client';

import { ArrowDownIcon, ArrowUpIcon, PlusIcon, XIcon } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { type ModelPolicy, type ModelProviderView, modelPolicy } from '#lib/models/contract.ts';

/** Which providers are asked, and in which order, when the default one fails before it has said anything. */
export function FallbackOrder({
  policy,
  providers,
  canManage,
}: {
  policy: ModelPolicy;
  providers: readonly ModelProviderView[];
  canManage: boolean;
}) {
  const t = useTranslations('models.fallbacks');
  const { tenant } = useMe();
  const router = useRouter();
  const [kept, setKept] = useState(policy.fallbacks);
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const others = providers.filter(({ isDefault }) => !isDefault);
  const asked = kept.flatMap((id) => others.filter((provider) => provider.id === id));
  const idle = others.filter(({ id }) => !kept.includes(id));
  const save = async (fallbacks: string[]) => {
    setIsSaving(true);
    setFailure(null);
    try {
      const body = { ...policy, fallbacks };
      setKept((await requestJson(`/api/t/${tenant.slug}/models/policy`, modelPolicy, { method: 'PUT', body })).fallbacks);
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setIsSaving(false);
    }
  };
  const ids = asked.map(({ id }) => id);
  const swap = (place: number, other: number) =>
    void save(ids.map((id, index) => (index === place ? (ids[other] ?? id) : index === other ? (ids[place] ?? id) : id)));
  return (
    <div className="flex flex-col gap-2">
      <p className="text-ui text-muted-foreground">{asked.length === 0 ? t('none') : t('some')}</p>
      {asked.length > 0 ? (
        <ol aria-label={t('label')} className="border-t border-border">
          {asked.map(({ id, name, model }, place) => (
            <li key={id} className="flex min-h-11 items-center gap-2 border-b border-border py-1 text-ui">
              <span className="w-5 text-muted-foreground tabular">{place + 1}</span>
              <span className="min-w-0 flex-1 truncate">
                {name} <code className="font-mono text-meta text-muted-foreground">{model}</code>
              </span>
              {canManage ? (
                <>
                  <Button
                    look="quiet"
                    size="square"
                    aria-label={t('up', { name })}
                    title={t('up', { name })}
                    disabled={isSaving || place === 0}
                    onClick={() => swap(place, place - 1)}
                  >
                    <ArrowUpIcon aria-hidden />
                  </Button>
                  <Button
                    look="quiet"
                    size="square"
                    aria-label={t('down', { name })}
                    title={t('down', { name })}
                    disabled={isSaving || place === asked.length - 1}
                    onClick={() => swap(place, place + 1)}
                  >
                    <ArrowDownIcon aria-hidden />
                  </Button>
                  <Button
                    look="quiet"
                    size="square"
                    aria-label={t('remove', { name })}
                    title={t('remove', { name })}
                    disabled={isSaving}
                    onClick={() => void save(ids.filter((each) => each !== id))}
                  >
                    <XIcon aria-hidden />
                  </Button>
                </>
              ) : null}
            </li>
          ))}
        </ol>
      ) : null}
      {canManage && idle.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {idle.map(({ id, name }) => (
            <Button key={id} size="small" disabled={isSaving} onClick={() => void save([...ids, id])}>
              <PlusIcon aria-hidden />
              {t('add', { name })}
            </Button>
          ))}
        </div>
      ) : null}
      <LiveRegion text={isSaving ? t('saving') : ''} />
      {failure ? <FailureNotice failure={failure} /> : null}
    </div>
  );
}
