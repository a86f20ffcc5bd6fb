import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { InboxCountScope } from '#components/approvals/inbox-count.tsx';
import { ConnectionBar } from '#components/live/connection-bar.tsx';
import { LiveScope } from '#components/live/live-scope.tsx';
import { AccessHelp } from '#components/tenancy/access-help.tsx';
import { AccountTimeZoneKeeper } from '#components/theme/account-time-zone-keeper.tsx';
import { LocaleKeeper } from '#components/theme/locale-keeper.tsx';
import type { Theme } from '#components/theme/theme.ts';
import { TooltipScope } from '#components/ui/tooltip.tsx';
import type { Locale } from '#lib/i18n/index.ts';
import type { MeView } from '#lib/tenancy/contract.ts';
import { KeyboardScope } from './keyboard-scope.tsx';
import { MeScope } from './me-scope.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { Rail } from './rail.tsx';
import { RoleViewBar } from './role-view-bar.tsx';

interface ShellProps {
  me: MeView;
  theme: Theme;
  /** The language that the pages are brought to; null: they stay as they are. */
  startLocale: Locale | null;
  isRailCollapsed: boolean;
  children: ReactNode;
}

/** What is around every page of a workspace. The page scrolls, this does not. */
export function Shell({ me, theme, startLocale, isRailCollapsed, children }: ShellProps) {
  const t = useTranslations('shell');
  return (
    <MeScope me={me}>
      <LiveScope tenantSlug={me.tenant.slug}>
        <TooltipScope delayDuration={400}>
          <LocaleKeeper accountLocale={startLocale} />
          <AccountTimeZoneKeeper accountTimeZone={me.user.timeZone} />
          <InboxCountScope>
            <div className="flex h-dvh flex-col">
              <a
                href="#content"
                className="sr-only z-50 rounded-control border border-input bg-card px-3 py-2 text-ui focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2"
              >
                {t('skip')}
              </a>
              <header className="shrink-0">
                {me.tenant.isDemo ? (
                  <p className="shrink-0 border-b border-border bg-sunken px-4 py-1 text-meta text-muted-foreground">{t('demoBanner')}</p>
                ) : null}
                <RoleViewBar />
                <ConnectionBar signInPath={`/sign-in?callback=/${me.tenant.slug}`} />
                <PhoneBar theme={theme} />
              </header>
              <div className="flex min-h-0 flex-1">
                <Rail startsCollapsed={isRailCollapsed} theme={theme} />
                <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
                  <AccessHelp>{children}</AccessHelp>
                </main>
              </div>
            </div>
          </InboxCountScope>
          <KeyboardScope />
        </TooltipScope>
      </LiveScope>
    </MeScope>
  );
}
