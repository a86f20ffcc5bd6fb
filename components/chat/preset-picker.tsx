'use client';

import { LockIcon } from 'lucide-react';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { useMe } from '#components/shell/me-scope.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { PresetView } from '#lib/conversations/contract.ts';

interface PresetPickerProps {
  presets: readonly PresetView[];
  chosen: string;
  onChoose: (key: string) => void;
}

/** What kind of chat to begin. A locked preset is shown with the plugin it needs, and cannot be chosen. */
export function PresetPicker({ presets, chosen, onChoose }: PresetPickerProps) {
  const t = useTranslations('chat.new');
  const locale = useLocale();
  const { tenant, permissions } = useMe();
  const canSeePlugins = permissions.includes('plugin:read');
  return (
    <fieldset>
      <legend className="text-meta text-muted-foreground">{t('presets')}</legend>
      <div className="mt-1 border-t border-border">
        {presets.map((preset, index) => (
          <div key={preset.key} className="flex items-center gap-2 border-b border-border">
            <label
              className={joinClasses(
                'touchable flex min-w-0 flex-1 items-start gap-3 px-1 py-2.5',
                preset.locked ? 'cursor-not-allowed' : 'cursor-pointer hover:bg-foreground/4',
              )}
            >
              <input
                type="radio"
                name="preset"
                value={preset.key}
                checked={preset.key === chosen}
                disabled={preset.locked !== null}
                onChange={() => onChoose(preset.key)}
                className="mt-1 size-3.5 accent-primary"
              />
              <span className="min-w-0 flex-1">
                <span className={joinClasses('block text-ui font-medium', preset.locked && 'text-muted-foreground')}>
                  {preset.name[locale]}
                </span>
                <span className="block text-meta text-muted-foreground">{preset.description[locale]}</span>
                {preset.locked ? (
                  <span className="mt-1 flex items-center gap-1.5 text-meta text-warn">
                    <LockIcon aria-hidden className="size-3" />
                    {t(`locked.${preset.locked.cause}`, { plugin: preset.plugin?.name[locale] ?? preset.locked.pluginId })}
                  </span>
                ) : null}
              </span>
              {index < 9 ? (
                <kbd
                  aria-hidden
                  className="hidden rounded-control border border-border px-1 font-mono text-meta text-muted-foreground pointer-fine:block"
                >
                  {index + 1}
                </kbd>
              ) : null}
            </label>
            {preset.locked && canSeePlugins ? (
              <Link href={`/${tenant.slug}/marketplace/${preset.locked.pluginId}`} className={buttonClasses({ size: 'small' })}>
                {t('locked.open', { plugin: preset.plugin?.name[locale] ?? preset.locked.pluginId })}
              </Link>
            ) : null}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
