'use client';

import { MenuIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Theme } from '#components/theme/theme.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogTrigger, SheetPanel } from '#components/ui/dialog.tsx';
import { AccountMenu } from './account-menu.tsx';
import { FindButton } from './find-button.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Mark } from './mark.tsx';
import { useMe } from './me-scope.tsx';
import { Navigation } from './navigation.tsx';
import { WorkspaceName } from './workspace-name.tsx';

/** The top of a workspace on narrow screens; the rail is a sheet behind its button. */
export function PhoneBar({ theme }: { theme: Theme }) {
  const t = useTranslations('shell');
  const { tenant } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border bg-sunken px-2 md:hidden">
      <Dialog open={isOpen} onOpenChange={setIsOpen}>
        <DialogTrigger asChild>
          <Button look="quiet" size="square" aria-label={t('openNavigation')}>
            <MenuIcon aria-hidden />
          </Button>
        </DialogTrigger>
        <SheetPanel title={t('navigation')} isTitleHidden>
          <nav aria-label={t('navigation')} className="flex flex-1 flex-col gap-3 p-2">
            <WorkspaceName />
            <div className="flex-1">
              <Navigation onGo={() => setIsOpen(false)} />
            </div>
            <FirstSteps onGo={() => setIsOpen(false)} />
            <div className="border-t border-border pt-2">
              <AccountMenu theme={theme} />
            </div>
          </nav>
        </SheetPanel>
      </Dialog>
      <Mark />
      <span className="min-w-0 flex-1 truncate text-ui font-semibold">{tenant.name}</span>
      <FindButton look="icon" />
    </div>
  );
}
