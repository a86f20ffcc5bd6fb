import {
  ActivityIcon,
  BlocksIcon,
  BookmarkIcon,
  BookOpenIcon,
  GaugeIcon,
  InboxIcon,
  ListTreeIcon,
  type LucideIcon,
  MessagesSquareIcon,
  SlidersHorizontalIcon,
  SquarePenIcon,
} from 'lucide-react';
import type { KeyId } from '#components/keyboard/key-map.ts';
import { SETTINGS_PLACES } from './settings-places.ts';

export interface Place {
  /** Its name in the messages. */
  key: 'newChat' | 'chats' | 'inbox' | 'knowledge' | 'memory' | 'marketplace' | 'runs' | 'activity' | 'metrics' | 'settings';
  /** Below the workspace. */
  path: string;
  icon: LucideIcon;
  /** Who has none of these is not shown the place. */
  permissions: readonly string[];
  keyId?: KeyId;
  isCurrent: (path: string) => boolean;
}

/** The places of a workspace, in the order of the rail. A place stands here once it has a page. */
export const PLACES: readonly Place[] = [
  {
    key: 'newChat',
    path: '/chat',
    icon: SquarePenIcon,
    permissions: ['conversation:write'],
    keyId: 'newChat',
    isCurrent: (path) => path === '/chat',
  },
  {
    key: 'chats',
    path: '/chat?list=1',
    icon: MessagesSquareIcon,
    permissions: ['conversation:read'],
    keyId: 'goChats',
    isCurrent: (path) => path.startsWith('/chat/'),
  },
  {
    key: 'inbox',
    path: '/inbox',
    icon: InboxIcon,
    permissions: ['conversation:write', 'approval:decide'],
    keyId: 'goInbox',
    isCurrent: isUnder('/inbox'),
  },
  {
    key: 'marketplace',
    path: '/marketplace',
    icon: BlocksIcon,
    permissions: ['plugin:read'],
    keyId: 'goMarketplace',
    isCurrent: isUnder('/marketplace'),
  },
  {
    key: 'knowledge',
    path: '/knowledge',
    icon: BookOpenIcon,
    permissions: ['knowledge:read'],
    keyId: 'goKnowledge',
    isCurrent: isUnder('/knowledge'),
  },
  { key: 'memory', path: '/memory', icon: BookmarkIcon, permissions: ['memory:read'], isCurrent: isUnder('/memory') },
  {
    key: 'runs',
    path: '/runs',
    icon: ListTreeIcon,
    permissions: ['run:read'],
    keyId: 'goRuns',
    isCurrent: (path) => isUnder('/runs')(path) || isUnder('/exports')(path),
  },
  {
    key: 'activity',
    path: '/activity',
    icon: ActivityIcon,
    permissions: ['audit:read'],
    keyId: 'goActivity',
    isCurrent: isUnder('/activity'),
  },
  { key: 'metrics', path: '/metrics', icon: GaugeIcon, permissions: ['metrics:read'], isCurrent: isUnder('/metrics') },
  {
    key: 'settings',
    path: '/settings',
    icon: SlidersHorizontalIcon,
    permissions: SETTINGS_PLACES.flatMap(({ permissions }) => permissions),
    keyId: 'goSettings',
    isCurrent: isUnder('/settings'),
  },
];

/** The places that someone with these permissions may go to. */
export function openPlaces(permissions: readonly string[]): Place[] {
  return PLACES.filter((place) => place.permissions.some((permission) => permissions.includes(permission)));
}

function isUnder(start: string): (path: string) => boolean {
  return (path) => path === start || path.startsWith(`${start}/`);
}
