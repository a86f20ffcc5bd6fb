import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Fact, Facts } from '#components/ui/facts.tsx';
import { Section } from '#components/ui/section.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { HealthView } from '#lib/tenancy/contract.ts';

const MEGABYTE = 1_000_000;

/** How the deployment stands: its database, its engine and queue, its processes, its versions. */
export function HealthFacts({ health }: { health: HealthView }) {
  const t = useTranslations('operator.health');
  const { database, migrations, engine, queue, processes, versions } = health;
  const isCurrent = migrations.applied >= migrations.expected;
  return (
    <>
      <Part title={t('database')}>
        <Fact name={t('version')}>{`PostgreSQL ${database.version}`}</Fact>
        <Fact name={t('latency')}>{t('ms', { value: database.latencyMs })}</Fact>
        <Fact name={t('size')}>{t('mb', { value: Math.round(database.sizeBytes / MEGABYTE) })}</Fact>
        <Fact name={t('connections')}>{t('connectionsOf', { count: database.connections, max: database.maxConnections })}</Fact>
        <Fact name={t('migrations')}>
          <StateChip tone={isCurrent ? 'ok' : 'error'}>{t('applied', migrations)}</StateChip>
        </Fact>
        {health.process.isEmbeddedDatabase ? <Fact name="">{t('embedded')}</Fact> : null}
      </Part>
      <Part title={t('engine')}>
        <Fact name={t('engine')}>
          <StateChip tone={engine.isReady ? 'ok' : 'error'}>{engine.isReady ? t('ready') : t('notReady')}</StateChip>
        </Fact>
        <Fact name={t('active')}>{t('activeOf', { count: engine.activeSegments, max: engine.maxActiveSegments })}</Fact>
        <Fact name={t('queued')}>{queue.queued}</Fact>
        <Fact name={t('claimed')}>{queue.claimed}</Fact>
        <Fact name={t('oldest')}>{queue.oldestQueuedAt ? <TimeAgo at={queue.oldestQueuedAt} /> : t('nothing')}</Fact>
      </Part>
      <Section title={t('processes')}>
        {processes.length === 0 ? (
          <StateChip tone="error">{t('processesNone')}</StateChip>
        ) : (
          <ul className="flex flex-col gap-1 text-ui">
            {processes.map((process) => (
              <li key={process.id} className="flex flex-wrap gap-x-3">
                <code className="font-mono text-meta break-all">{process.id}</code>
                <span className="text-muted-foreground">
                  {t('since')} <TimeAgo at={process.since} /> · {t('address')} {process.address ?? t('local')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Part title={t('versions')}>
        <Fact name={t('bailiwick')}>{versions.bailiwick}</Fact>
        <Fact name={t('node')}>{versions.node}</Fact>
        <Fact name={t('dbos')}>{versions.engine}</Fact>
        <Fact name={t('role')}>
          {t('roles', { role: health.process.role })} · {t('since')} <TimeAgo at={health.process.startedAt} />
        </Fact>
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title}>
      <Facts>{children}</Facts>
    </Section>
  );
}
