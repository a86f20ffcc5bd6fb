'use client';

import { useTranslations } from 'next-intl';
import { KeyCaps } from './key-caps.tsx';
import { bindingOf, KEY_IDS, KEY_SCOPES } from './key-map.ts';

/** Every key of the map with what it does. */
export function ShortcutList() {
  const t = useTranslations('keyboard');
  return (
    <div className="gap-x-10 sm:columns-2">
      {KEY_SCOPES.map((scope) => (
        <section key={scope} aria-label={t(`scopes.${scope}`)} className="mb-6 break-inside-avoid">
          <h2 className="border-b border-border pb-1 text-ui font-semibold">{t(`scopes.${scope}`)}</h2>
          <dl>
            {KEY_IDS.filter((id) => bindingOf(id).scope === scope).map((id) => (
              <div key={id} className="flex min-h-8 items-center justify-between gap-4 border-b border-border py-1 text-ui">
                <dt>{t(`keys.${id}`)}</dt>
                <dd className="flex flex-wrap justify-end gap-2">
                  {(bindingOf(id).shown ?? bindingOf(id).presses).map((press) => (
                    <KeyCaps key={press} press={press} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
