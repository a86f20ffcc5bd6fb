import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Markdown } from '#components/chat/markdown.tsx';
import { Section } from '#components/ui/section.tsx';
import { Time } from '#components/ui/time.tsx';
import type { PluginView } from '#lib/plugins/contract.ts';

/** What a plugin does and brings. */
export function PluginOverview({ tenantSlug, plugin }: { tenantSlug: string; plugin: PluginView }) {
  const t = useTranslations('marketplace.overview');
  const locale = useLocale();
  const { capabilities, presets, agents, documents, dependsOn, install } = plugin;
  return (
    <>
      <Section title={t('about')}>
        <Markdown text={plugin.overview[locale]} className="mb-2 max-w-[72ch]" />
        {install ? (
          <p className="text-meta text-muted-foreground">
            {t('installedBy', { name: install.installedBy.name })} · <Time at={install.installedAt} />
          </p>
        ) : null}
      </Section>
      {dependsOn.length > 0 ? (
        <Part title={t('needs')}>
          {dependsOn.map(({ id, name, isInstalled }) => (
            <Item key={id} name={<Link href={`/${tenantSlug}/marketplace/${id}`}>{name[locale]}</Link>} code={id}>
              {isInstalled ? t('installedYes') : t('installedNo')}
            </Item>
          ))}
        </Part>
      ) : null}
      {capabilities.length > 0 ? (
        <Part title={t('tools')}>
          {capabilities.map(({ id, title, description, sideEffect }) => (
            <Item key={id} name={title[locale]} code={id} note={t(`effects.${sideEffect}`)}>
              {description[locale]}
            </Item>
          ))}
        </Part>
      ) : null}
      {presets.length > 0 ? (
        <Part title={t('presets')}>
          {presets.map(({ key, name, description }) => (
            <Item key={key} name={name[locale]} code={key}>
              {description[locale]}
            </Item>
          ))}
        </Part>
      ) : null}
      {agents.length > 0 ? (
        <Part title={t('agents')}>
          {agents.map(({ id, title, description }) => (
            <Item key={id} name={title[locale]} code={id}>
              {description}
            </Item>
          ))}
        </Part>
      ) : null}
      {documents.length > 0 ? (
        <Part title={t('documents')}>
          {documents.map(({ key, title }) => (
            <Item key={key} name={title} />
          ))}
        </Part>
      ) : null}
    </>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Section title={title}>
      <ul className="divide-y divide-border">{children}</ul>
    </Section>
  );
}

function Item({ name, code, note, children }: { name: ReactNode; code?: string; note?: ReactNode; children?: ReactNode }) {
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 text-ui">
        <span className="font-medium">{name}</span>
        {code ? <code className="font-mono text-meta text-muted-foreground">{code}</code> : null}
        {note ? <span className="ms-auto text-meta text-muted-foreground">{note}</span> : null}
      </p>
      {children ? <p className="max-w-[72ch] text-ui text-muted-foreground">{children}</p> : null}
    </li>
  );
}
