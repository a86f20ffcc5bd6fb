'use client';

import { ChevronsUpDownIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Menu, MenuItem, MenuLabel, MenuPanel, MenuTrigger } from '#components/ui/menu.tsx';
import { Mark } from './mark.tsx';
import { useMe } from './me-scope.tsx';

/** Names the workspace, and switches to the person's other ones where there are any. */
export function WorkspaceName({ isCollapsed = false }: { isCollapsed?: boolean }) {
  const t = useTranslations('shell');
  const { tenant, tenants } = useMe();
  const name = (
    <>
      <Mark />
      <span className={joinClasses('min-w-0 flex-1 truncate text-start text-ui font-semibold', isCollapsed && 'sr-only')}>
        {tenant.name}
      </span>
    </>
  );
  const classes = joinClasses('touchable flex h-9 w-full items-center gap-2.5 rounded-control px-2', isCollapsed && 'justify-center px-0');
  if (tenants.length < 2) {
    return (
      <Link href={`/${tenant.slug}`} className={joinClasses(classes, 'hover:bg-foreground/6')}>
        {name}
      </Link>
    );
  }
  return (
    <Menu>
      <MenuTrigger className={joinClasses(classes, 'hover:bg-foreground/6')}>
        {name}
        {isCollapsed ? null : <ChevronsUpDownIcon aria-hidden className="size-3.5 text-muted-foreground" />}
      </MenuTrigger>
      <MenuPanel align="start" className="w-56">
        <MenuLabel>{t('switchWorkspace')}</MenuLabel>
        {tenants.map(({ slug, name: other }) => (
          <MenuItem key={slug} asChild>
            <Link
              href={`/${slug}`}
              aria-current={slug === tenant.slug ? 'page' : undefined}
              className={slug === tenant.slug ? 'font-medium' : ''}
            >
              <span className="truncate">{other}</span>
              <code className="ms-auto font-mono text-meta text-muted-foreground">{slug}</code>
            </Link>
          </MenuItem>
        ))}
      </MenuPanel>
    </Menu>
  );
}
