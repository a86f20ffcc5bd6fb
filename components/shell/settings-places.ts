import {
  BellIcon,
  BoxesIcon,
  ChartColumnIcon,
  GaugeIcon,
  HandIcon,
  KeyRoundIcon,
  LinkIcon,
  LogInIcon,
  type LucideIcon,
  PlugIcon,
  ScanSearchIcon,
  ShieldCheckIcon,
  SlidersHorizontalIcon,
  UsersIcon,
} from 'lucide-react';

export interface SettingsPlace {
  /** Its folder under app/[tenant]/settings, and its name in the messages. */
  key:
    | 'general'
    | 'members'
    | 'access'
    | 'roles'
    | 'api-keys'
    | 'sign-in'
    | 'models'
    | 'budgets'
    | 'usage'
    | 'approvals'
    | 'mcp'
    | 'notifications'
    | 'accounts';
  group: 'workspace' | 'people' | 'agents';
  icon: LucideIcon;
  /** Who has none of these is not shown the section. */
  permissions: readonly string[];
}

/** The sections of a workspace's settings, in the order of the list beside them. A section stands here once it has a page. */
export const SETTINGS_PLACES: readonly SettingsPlace[] = [
  { key: 'general', group: 'workspace', icon: SlidersHorizontalIcon, permissions: ['tenant:update', 'tenant:delete'] },
  { key: 'notifications', group: 'workspace', icon: BellIcon, permissions: ['tenant:read'] },
  { key: 'members', group: 'people', icon: UsersIcon, permissions: ['member:read'] },
  { key: 'roles', group: 'people', icon: ShieldCheckIcon, permissions: ['role:read'] },
  { key: 'access', group: 'people', icon: ScanSearchIcon, permissions: ['member:read'] },
  { key: 'sign-in', group: 'people', icon: LogInIcon, permissions: ['member:read'] },
  { key: 'api-keys', group: 'people', icon: KeyRoundIcon, permissions: ['api-key:manage'] },
  { key: 'models', group: 'agents', icon: BoxesIcon, permissions: ['model:read'] },
  { key: 'budgets', group: 'agents', icon: GaugeIcon, permissions: ['budget:read'] },
  { key: 'usage', group: 'agents', icon: ChartColumnIcon, permissions: ['budget:read'] },
  { key: 'approvals', group: 'agents', icon: HandIcon, permissions: ['approval:manage'] },
  { key: 'mcp', group: 'agents', icon: PlugIcon, permissions: ['mcp:read'] },
  { key: 'accounts', group: 'agents', icon: LinkIcon, permissions: ['capability:invoke'] },
];

export const SETTINGS_GROUPS = ['workspace', 'people', 'agents'] as const satisfies readonly SettingsPlace['group'][];

/** The sections that someone with these permissions may open. */
export function openSettings(permissions: readonly string[]): SettingsPlace[] {
  return SETTINGS_PLACES.filter((place) => place.permissions.some((permission) => permissions.includes(permission)));
}
