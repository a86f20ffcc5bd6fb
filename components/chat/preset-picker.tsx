'use client';

import { LockIcon } from 'lucide-react';
import { useLocale, useTranslations } from 'next-intl';
import { joinClasses } from '#components/ui/join-classes.ts';
import type { PresetView } from '#lib/conversations/contract.ts';

interface PresetPickerProps {
  presets: readonly PresetView[];
  chosen: string;
  onChoose: (key: string) => void;
}

/** What kind of chat to begin. A locked preset is shown with its reason, and cannot be chosen. */
export function PresetPicker({ presets, chosen, onChoose }: PresetPickerProps) {
  const t = useTranslations('chat.new');
  const locale = useLocale();
  return (
    <fieldset>
      <legend className="text-meta text-muted-foreground">{t('presets')}</legend>
      <div className="mt-1 border-t border-border">
        {presets.map((preset, index) => (
          <label
            key={preset.key}
            className={joinClasses(
              'touchable flex items-start gap-3 border-b border-border px-1 py-2.5',
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
                  {t('locked', { reason: preset.locked.reason })}
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
        ))}
      </div>
    </fieldset>
  );
}
