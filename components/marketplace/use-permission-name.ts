import { useTranslations } from 'next-intl';

/** A permission in words; one that has none, from a later build say, by its name. */
export function usePermissionName(): (permission: string) => string {
  const t = useTranslations('marketplace.permissions');
  return (permission) => (t.has(permission as Parameters<typeof t>[0]) ? t(permission as Parameters<typeof t>[0]) : permission);
}
