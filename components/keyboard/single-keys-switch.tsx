'use client';

import { useTranslations } from 'next-intl';
import { Switch } from '#components/ui/switch.tsx';
import { keepSingleKeys, useSingleKeys } from './key-preference.ts';

/** Switches the shortcuts of single letters off and on, for this browser. */
export function SingleKeysSwitch() {
  const t = useTranslations('keyboard.single');
  return <Switch label={t('label')} hint={t('hint')} isOn={useSingleKeys()} onChange={keepSingleKeys} />;
}
