'use client';

import { ChevronsUpDownIcon } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Menu, MenuItem, MenuLabel, MenuPanel, MenuTrigger } from '#components/ui/menu.tsx';
import { useMe } from './me-scope.tsx';
import { openSettings, SETTINGS_GROUPS, type SettingsPlace } from './settings-places.ts';

/** The sections of a workspace's settings that the person may open: a list beside the section, on a phone a menu above it. */
export function SettingsSections() {
  const t = useTranslations('shell');
  const { tenant, permissions } = useMe();
  const base = `/${tenant.slug}/settings/`;
  const current = usePathname().slice(base.length).split('/')[0];
  const places = openSettings(permissions);
  const groups = SETTINGS_GROUPS.map((group) => ({ group, places: places.filter((place) => place.group === group) })).filter(
    ({ places }) => places.length > 0,
  );
  const chosen = places.find(({ key }) => key === current);
  return (
    <>
      <nav
        aria-label={t('settingsSections.label')}
        className="hidden w-[200px] shrink-0 flex-col gap-4 overflow-y-auto border-e border-border px-2 py-3 md:flex"
      >
        {groups.map(({ group, places }) => (
          <div key={group}>
            <p className="px-2.5 pb-1 text-meta text-muted-foreground">{t(`settingsGroups.${group}`)}</p>
            <ul className="flex flex-col gap-0.5">
              {places.map((place) => (
                <li key={place.key}>
                  <SectionLink place={place} href={base + place.key} isCurrent={place.key === current} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <nav aria-label={t('settingsSections.label')} className="shrink-0 border-b border-border px-2 py-1 md:hidden">
        <Menu>
          <MenuTrigger className="touchable flex h-9 w-full items-center gap-2 rounded-control px-2 text-ui hover:bg-foreground/6">
            <span className="text-muted-foreground">{t('settings')}</span>
            <span aria-hidden className="text-muted-foreground">
              /
            </span>
            <span className="font-medium">{chosen ? t(`settingsSections.${chosen.key}`) : t('settingsSections.choose')}</span>
            <ChevronsUpDownIcon aria-hidden className="ms-auto size-3.5 text-muted-foreground" />
          </MenuTrigger>
          <MenuPanel align="start" className="w-64">
            {groups.map(({ group, places }) => (
              <div key={group}>
                <MenuLabel>{t(`settingsGroups.${group}`)}</MenuLabel>
                {places.map(({ key, icon: Icon }) => (
                  <MenuItem key={key} asChild>
                    <Link href={base + key} aria-current={key === current ? 'page' : undefined}>
                      <Icon aria-hidden />
                      {t(`settingsSections.${key}`)}
                    </Link>
                  </MenuItem>
                ))}
              </div>
            ))}
          </MenuPanel>
        </Menu>
      </nav>
    </>
  );
}

function SectionLink({ place: { key, icon: Icon }, href, isCurrent }: { place: SettingsPlace; href: string; isCurrent: boolean }) {
  const t = useTranslations('shell.settingsSections');
  const { openAccessRequests } = useMe();
  const waiting = key === 'members' ? openAccessRequests : 0;
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={joinClasses(
        'touchable flex h-8 items-center gap-2.5 rounded-control px-2.5 text-ui transition-colors duration-[120ms] hover:bg-foreground/6',
        isCurrent ? 'bg-foreground/6 font-medium text-foreground' : 'text-muted-foreground hover:text-foreground',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <span className="truncate">{t(key)}</span>
      {waiting > 0 ? (
        <span className="ms-auto text-meta tabular">
          <span aria-hidden>{waiting}</span>
          <span className="sr-only">{t('waiting', { count: waiting })}</span>
        </span>
      ) : null}
    </Link>
  );
}
