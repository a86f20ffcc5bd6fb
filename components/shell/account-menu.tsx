'use client';

import { BracesIcon, LogOutIcon, ServerCogIcon, SettingsIcon } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { requestDone } from '#components/api/request.ts';
import { signOut } from '#components/auth/next-auth-client.ts';
import { useRoleName } from '#components/tenancy/use-role-name.ts';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { applyTheme, keepLocale } from '#components/theme/preferences.ts';
import { parseTheme, THEMES, type Theme } from '#components/theme/theme.ts';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuPanel, MenuRule, MenuTrigger } from '#components/ui/menu.tsx';
import { isLocale, LOCALES, type Locale } from '#lib/i18n/index.ts';
import { useMe } from './me-scope.tsx';

/** Who is signed in, and what is theirs to set: language, theme, sign-in sessions, leaving. */
export function AccountMenu({ theme, isCollapsed = false }: { theme: Theme; isCollapsed?: boolean }) {
  const t = useTranslations('shell');
  const { user, role } = useMe();
  const roleName = useRoleName();
  const shown = useLocale();
  const router = useRouter();
  const [chosenTheme, setChosenTheme] = useState(theme);
  const chooseLocale = (locale: Locale) => {
    keepLocale(locale);
    // The account is where other browsers learn of it; this one has what it needs even if that fails.
    void requestDone('/api/account', { method: 'PATCH', body: { locale } })
      .catch(() => undefined)
      .then(() => router.refresh());
  };
  return (
    // The palette may have set the theme since.
    <Menu onOpenChange={() => setChosenTheme(parseTheme(document.documentElement.dataset['theme']))}>
      <MenuTrigger
        className={joinClasses(
          'touchable flex h-11 w-full items-center gap-2.5 rounded-control px-2 text-start hover:bg-foreground/6',
          isCollapsed && 'justify-center px-0',
        )}
      >
        <span
          aria-hidden
          className="flex size-6 shrink-0 items-center justify-center rounded-full border border-input text-meta font-medium"
        >
          {[...user.name][0]?.toUpperCase()}
        </span>
        <span className={isCollapsed ? 'sr-only' : 'min-w-0 flex-1'}>
          <span className="block truncate text-ui leading-4">{user.name}</span>
          <span className="block truncate text-meta text-muted-foreground">{roleName(role)}</span>
        </span>
        <span className="sr-only">{t('account')}</span>
      </MenuTrigger>
      <MenuPanel align="start" side="top" className="w-60">
        <div className="px-2 py-1.5">
          <p className="truncate text-ui font-medium">{user.name}</p>
          <p className="truncate text-meta text-muted-foreground">{user.email}</p>
        </div>
        <MenuRule />
        <MenuLabel>{t('language')}</MenuLabel>
        <MenuChoices
          value={shown}
          onValueChange={(value) => {
            if (isLocale(value)) chooseLocale(value);
          }}
        >
          {LOCALES.map((locale) => (
            <MenuChoice key={locale} value={locale} lang={locale}>
              {LOCALE_NAMES[locale]}
            </MenuChoice>
          ))}
        </MenuChoices>
        <MenuRule />
        <MenuLabel>{t('theme')}</MenuLabel>
        <MenuChoices
          value={chosenTheme}
          onValueChange={(value) => {
            const next = THEMES.find((known) => known === value) ?? 'system';
            setChosenTheme(next);
            applyTheme(next);
          }}
        >
          {THEMES.map((known) => (
            <MenuChoice key={known} value={known}>
              {t(`themes.${known}`)}
            </MenuChoice>
          ))}
        </MenuChoices>
        <MenuRule />
        <MenuItem asChild>
          <Link href="/account">
            <SettingsIcon aria-hidden />
            {t('accountSettings')}
          </Link>
        </MenuItem>
        <MenuItem asChild>
          <Link href="/docs/api">
            <BracesIcon aria-hidden />
            {t('reference')}
          </Link>
        </MenuItem>
        {user.isOperator ? (
          <MenuItem asChild>
            <Link href="/operator/tenants">
              <ServerCogIcon aria-hidden />
              {t('operator')}
            </Link>
          </MenuItem>
        ) : null}
        <MenuItem
          onSelect={() => {
            void signOut().then(() => window.location.assign('/sign-in'));
          }}
        >
          <LogOutIcon aria-hidden />
          {t('signOut')}
        </MenuItem>
      </MenuPanel>
    </Menu>
  );
}
