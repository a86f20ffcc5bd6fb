'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Section } from '#components/ui/section.tsx';
import { Time } from '#components/ui/time.tsx';
import type { PluginView } from '#lib/plugins/contract.ts';
import { refusedSettings } from './refused-settings.ts';
import { findDraftProblems, fromDraft, readFields, toDraft } from './settings-draft.ts';
import { SettingsFields } from './settings-fields.tsx';

/** What a plugin is set to here, and the way back. */
export function PluginSettings({ plugin }: { plugin: PluginView }) {
  const t = useTranslations('marketplace.settings');
  const { permissions } = useMe();
  if (plugin.configurationSchema === null) return <p className="py-4 text-ui text-muted-foreground">{t('none')}</p>;
  if (plugin.installedVersion === null) return <p className="py-4 text-ui text-muted-foreground">{t('notInstalled')}</p>;
  if (!permissions.includes('plugin:install')) return <p className="py-4 text-ui text-muted-foreground">{t('denied')}</p>;
  // What was stored last is what the form begins with: another snapshot, another form.
  return (
    <div className="flex flex-col gap-6 pt-4">
      <SettingsForm key={plugin.snapshots[0]?.id} plugin={plugin} />
      <History plugin={plugin} />
    </div>
  );
}

function SettingsForm({ plugin }: { plugin: PluginView }) {
  const t = useTranslations('marketplace.settings');
  const router = useRouter();
  const { tenant } = useMe();
  const fields = readFields(plugin.configurationSchema);
  const [draft, setDraft] = useState(() => toDraft(fields, plugin.configuration.values));
  const [isTried, setIsTried] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const { secretHints } = plugin.configuration;
  const problems = findDraftProblems(fields, draft, new Set(Object.keys(secretHints)));
  const refused = refusedSettings(failure);
  const save = async () => {
    setIsTried(true);
    if (Object.keys(problems).length > 0) return;
    setIsSaving(true);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenant.slug}/marketplace/${plugin.id}/configuration`, {
        method: 'PUT',
        body: { configuration: fromDraft(fields, draft) },
      });
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    }
    setIsSaving(false);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <SettingsFields
        fields={fields}
        draft={draft}
        secretHints={secretHints}
        problems={isTried ? problems : {}}
        refused={refused}
        onChange={(name, value) => setDraft((before) => ({ ...before, [name]: value }))}
      />
      {failure && Object.keys(refused).length === 0 ? <FailureNotice failure={failure} /> : null}
      <div>
        <Button type="submit" look="primary" disabled={isSaving}>
          {isSaving ? t('saving') : t('save')}
        </Button>
      </div>
    </form>
  );
}

function History({ plugin }: { plugin: PluginView }) {
  const t = useTranslations('marketplace.settings');
  const router = useRouter();
  const { tenant } = useMe();
  const [working, setWorking] = useState<string | null>(null);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const rollBack = async (snapshotId: string) => {
    setWorking(snapshotId);
    setFailure(null);
    try {
      await requestDone(`/api/t/${tenant.slug}/marketplace/${plugin.id}/configuration/rollback`, { method: 'POST', body: { snapshotId } });
      router.refresh();
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    }
    setWorking(null);
  };
  return (
    <Section title={t('history')} intro={t('historyIntro')}>
      {failure ? <FailureNotice failure={failure} /> : null}
      <ol className="divide-y divide-border">
        {plugin.snapshots.map((snapshot, index) => (
          <li key={snapshot.id} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-1.5 text-ui">
            <Time at={snapshot.createdAt} />
            <span className="text-muted-foreground">{t('by', { name: snapshot.createdBy.name })}</span>
            <code className="min-w-0 flex-1 truncate font-mono text-meta text-muted-foreground">{describe(snapshot)}</code>
            {index === 0 ? (
              <span className="text-meta text-muted-foreground">{t('now')}</span>
            ) : (
              <Button size="small" disabled={working !== null} onClick={() => void rollBack(snapshot.id)}>
                {working === snapshot.id ? t('rollingBack') : t('rollBack')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );

  function describe({ values, secretNames }: PluginView['snapshots'][number]): string {
    const shown = Object.entries(values).map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`);
    if (secretNames.length > 0) shown.push(t('secrets', { names: secretNames.join(', ') }));
    return shown.join(' ') || t('noValues');
  }
}
