import { useTranslations } from 'next-intl';

const BUILT_IN = ['owner', 'admin', 'builder', 'auditor', 'member'] as const;

interface NamedRole {
  readonly key: string;
  readonly name: string;
}

/** What a role is called: built-in ones in the reader's language, custom ones as their makers named them. */
export function useRoleName(): (role: NamedRole) => string {
  const t = useTranslations('states.role');
  return (role) => nameRole(t, role);
}

/** As `useRoleName`, for pages that are made on the server; `t` is that of `states.role`. */
export function nameRole(t: (key: (typeof BUILT_IN)[number]) => string, { key, name }: NamedRole): string {
  const builtIn = BUILT_IN.find((known) => known === key);
  return builtIn ? t(builtIn) : name;
}
