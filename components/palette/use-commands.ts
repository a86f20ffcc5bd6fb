import {
  ContrastIcon,
  KeyboardIcon,
  LanguagesIcon,
  LinkIcon,
  ListTreeIcon,
  LogOutIcon,
  MessageSquareIcon,
  RepeatIcon,
  SquarePenIcon,
  UserIcon,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { requestDone } from '#components/api/request.ts';
import { signOut } from '#components/auth/next-auth-client.ts';
import { showOverlay } from '#components/keyboard/overlay.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { openPlaces } from '#components/shell/places.ts';
import { openSettings } from '#components/shell/settings-places.ts';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { applyTheme, keepLocale } from '#components/theme/preferences.ts';
import { THEMES } from '#components/theme/theme.ts';
import type { PresetView } from '#lib/conversations/contract.ts';
import { LOCALES } from '#lib/i18n/index.ts';
import type { Command } from './command.ts';
import type { Found } from './use-found.ts';

/** Everything the palette can do here for the person who opens it. */
export function useCommands({ found, presets, onCopied }: { found: Found; presets: readonly PresetView[]; onCopied: () => void }): {
  /** Matched against what is typed. */
  fixed: readonly Command[];
  /** Found by the server already. */
  things: readonly Command[];
} {
  const t = useTranslations('palette');
  const shell = useTranslations('shell');
  const sections = useTranslations('shell.settingsSections');
  const locale = useLocale();
  const router = useRouter();
  const me = useMe();
  const fixed = useMemo(() => {
    const base = `/${me.tenant.slug}`;
    const go = (path: string) => () => router.push(path);
    const commands: Command[] = openPlaces(me.permissions).map(({ key, path, icon, keyId }) => ({
      id: `go-${key}`,
      group: 'go',
      label: shell(key),
      keywords: `${key} ${path}`,
      icon,
      ...(keyId && { keyId }),
      run: go(base + path),
    }));
    for (const { key, icon } of openSettings(me.permissions))
      commands.push({
        id: `settings-${key}`,
        group: 'go',
        label: sections(key),
        note: shell('settings'),
        keywords: `settings ${key}`,
        isFoundOnly: true,
        icon,
        run: go(`${base}/settings/${key}`),
      });
    commands.push({
      id: 'account',
      group: 'go',
      label: shell('account'),
      keywords: 'account profile',
      icon: UserIcon,
      run: go('/account'),
    });
    if (me.permissions.includes('conversation:write'))
      for (const preset of presets.filter(({ locked }) => locked === null))
        commands.push({
          id: `preset-${preset.key}`,
          group: 'actions',
          label: t('newChatWith', { preset: preset.name[locale] }),
          keywords: `new chat preset ${preset.key} ${preset.name.en}`,
          icon: SquarePenIcon,
          run: go(`${base}/chat?preset=${encodeURIComponent(preset.key)}`),
        });
    commands.push(
      {
        id: 'copy-link',
        group: 'actions',
        label: t('copyLink'),
        keywords: 'copy link share url',
        icon: LinkIcon,
        keyId: 'copyLink',
        run: () => void navigator.clipboard.writeText(window.location.href).then(onCopied, () => undefined),
      },
      ...THEMES.map(
        (theme): Command => ({
          id: `theme-${theme}`,
          group: 'actions',
          label: t('theme', { theme: shell(`themes.${theme}`) }),
          keywords: `theme ${theme} appearance`,
          isFoundOnly: true,
          icon: ContrastIcon,
          run: () => applyTheme(theme),
        }),
      ),
      ...LOCALES.filter((known) => known !== locale).map(
        (known): Command => ({
          id: `language-${known}`,
          group: 'actions',
          label: t('language', { language: LOCALE_NAMES[known] }),
          keywords: `language ${known} ${LOCALE_NAMES[known]} english chinese zhongwen`,
          icon: LanguagesIcon,
          run() {
            keepLocale(known);
            void requestDone('/api/account', { method: 'PATCH', body: { locale: known } })
              .catch(() => undefined)
              .then(() => router.refresh());
          },
        }),
      ),
      ...me.tenants
        .filter(({ slug }) => slug !== me.tenant.slug)
        .map(
          ({ slug, name }): Command => ({
            id: `workspace-${slug}`,
            group: 'actions',
            label: t('workspace', { name }),
            note: slug,
            keywords: `workspace switch ${slug}`,
            icon: RepeatIcon,
            run: go(`/${slug}`),
          }),
        ),
      {
        id: 'shortcuts',
        group: 'actions',
        label: t('shortcuts'),
        keywords: 'keyboard shortcuts help keys',
        icon: KeyboardIcon,
        keyId: 'help',
        run: () => showOverlay('shortcuts'),
      },
      {
        id: 'sign-out',
        group: 'actions',
        label: shell('signOut'),
        keywords: 'sign out log out',
        icon: LogOutIcon,
        run: () => void signOut().then(() => window.location.assign('/sign-in')),
      },
    );
    return commands;
  }, [me, presets, locale, router, t, shell, sections, onCopied]);
  const things = useMemo(() => {
    const base = `/${me.tenant.slug}`;
    return [
      ...found.chats.map(
        (chat): Command => ({
          id: chat.id,
          group: 'chats',
          label: chat.title || t('untitled'),
          icon: MessageSquareIcon,
          run: () => router.push(`${base}/chat/${chat.id}`),
        }),
      ),
      ...found.runs.map(
        (run): Command => ({
          id: run.id,
          group: 'runs',
          label: run.promptHead,
          note: run.actor.name,
          icon: ListTreeIcon,
          run: () => router.push(`${base}/runs/${run.id}`),
        }),
      ),
    ];
  }, [found, me.tenant.slug, router, t]);
  return { fixed, things };
}
