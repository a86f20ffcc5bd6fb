'use client';

import { PanelLeftCloseIcon, PanelLeftOpenIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { writeCookie } from '#components/theme/preferences.ts';
import type { Theme } from '#components/theme/theme.ts';
import { Button } from '#components/ui/button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { AccountMenu } from './account-menu.tsx';
import { FindButton } from './find-button.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Navigation } from './navigation.tsx';
import { RAIL_COOKIE } from './rail-cookie.ts';
import { WorkspaceName } from './workspace-name.tsx';

/** The left edge of a workspace on wide screens. */
export function Rail({ startsCollapsed, theme }: { startsCollapsed: boolean; theme: Theme }) {
  const t = useTranslations('shell');
  const [isCollapsed, setIsCollapsed] = useState(startsCollapsed);
  const toggle = () => {
    writeCookie(RAIL_COOKIE, isCollapsed ? 'open' : 'collapsed');
    setIsCollapsed(!isCollapsed);
  };
  return (
    <nav
      aria-label={t('navigation')}
      className={joinClasses(
        'hidden shrink-0 flex-col border-e border-border bg-sunken p-2 md:flex',
        isCollapsed ? 'w-[52px]' : 'w-[232px]',
      )}
    >
      <WorkspaceName isCollapsed={isCollapsed} />
      <div className={joinClasses('mt-2', isCollapsed && 'flex justify-center')}>
        <FindButton look={isCollapsed ? 'icon' : 'field'} />
      </div>
      <div className="mt-3 flex-1">
        <Navigation isCollapsed={isCollapsed} />
      </div>
      {isCollapsed ? null : <FirstSteps />}
      <div className={joinClasses('flex items-center gap-1 border-t border-border pt-2', isCollapsed && 'flex-col-reverse')}>
        <div className="min-w-0 flex-1">
          <AccountMenu theme={theme} isCollapsed={isCollapsed} />
        </div>
        <Button
          look="quiet"
          size="square"
          onClick={toggle}
          aria-label={isCollapsed ? t('expand') : t('collapse')}
          title={isCollapsed ? t('expand') : t('collapse')}
        >
          {isCollapsed ? <PanelLeftOpenIcon aria-hidden /> : <PanelLeftCloseIcon aria-hidden />}
        </Button>
      </div>
    </nav>
  );
}
