'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useInboxCount } from '#components/approvals/inbox-count.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Tooltip } from '#components/ui/tooltip.tsx';
import { useMe } from './me-scope.tsx';
import { openPlaces } from './places.ts';

/** The places of a workspace that the person may go to; others are not shown at all. */
export function Navigation({ isCollapsed = false, onGo }: { isCollapsed?: boolean; onGo?: () => void }) {
  const t = useTranslations('shell');
  const me = useMe();
  const base = `/${me.tenant.slug}`;
  const waiting = useInboxCount();
  const path = usePathname().slice(base.length);
  return (
    <ul className="flex flex-col gap-0.5">
      {openPlaces(me.permissions).map(({ key, path: place, icon: Icon, isCurrent }) => {
        const link = (
          <Link
            href={base + place}
            aria-current={isCurrent(path) ? 'page' : undefined}
            {...(onGo ? { onClick: onGo } : {})}
            className={joinClasses(
              'touchable relative flex h-8 items-center gap-2.5 rounded-control px-2.5 text-ui transition-colors duration-[120ms] hover:bg-foreground/6',
              isCurrent(path)
                ? 'font-medium text-foreground before:absolute before:inset-y-1.5 before:-start-2 before:w-0.5 before:bg-primary'
                : 'text-muted-foreground hover:text-foreground',
              isCollapsed && 'justify-center px-0',
            )}
          >
            <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
            <span className={isCollapsed ? 'sr-only' : 'truncate'}>{t(key)}</span>
            {key === 'inbox' && waiting > 0 ? (
              <span
                className={joinClasses(
                  'rounded-full bg-waiting px-1.5 text-meta font-medium text-background tabular',
                  isCollapsed ? 'absolute -end-0.5 -top-0.5 px-1 leading-4' : 'ms-auto',
                )}
              >
                <span aria-hidden>{waiting}</span>
                <span className="sr-only">{t('inboxCount', { count: waiting })}</span>
              </span>
            ) : null}
          </Link>
        );
        return (
          <li key={key}>
            {isCollapsed ? (
              <Tooltip text={t(key)} side="right">
                {link}
              </Tooltip>
            ) : (
              link
            )}
          </li>
        );
      })}
    </ul>
  );
}
