import { useTranslations } from 'next-intl';

const BUILT_IN = ['owner', 'admin', 'builder', 'auditor', 'member'] as const;

/** What a role is called: built-in ones in the reader's language, custom ones as their makers named them. */
export function useRoleName(): (role: { key: string; name: string }) => string {
  const t = useTranslations('people.builtIn');
  return ({ key, name }) => {
    const builtIn = BUILT_IN.find((known) => known === key);
    return builtIn ? t(builtIn) : name;
  };
}
