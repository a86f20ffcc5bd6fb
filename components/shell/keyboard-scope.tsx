'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { lazy, Suspense, useEffect, useState } from 'react';
import { showOverlay, useOverlay } from '#components/keyboard/overlay.ts';
import { type KeyHandlers, useKeys } from '#components/keyboard/use-keys.ts';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { useMe } from './me-scope.tsx';
import { openPlaces } from './places.ts';

const loadPalette = () => import('#components/palette/command-palette.tsx');
const loadShortcuts = () => import('#components/keyboard/shortcuts-dialog.tsx');
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }));
const ShortcutsDialog = lazy(async () => ({ default: (await loadShortcuts()).ShortcutsDialog }));

const NOTE_MS = 2000;

const close = () => showOverlay(null);

function fetchBoth(): void {
  void loadPalette();
  void loadShortcuts();
}

/** The keys that work on every page of a workspace, and what they open. */
export function KeyboardScope() {
  const t = useTranslations('palette');
  const router = useRouter();
  const { tenant, permissions } = useMe();
  const overlay = useOverlay();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => fetchWhenIdle(), []);
  useEffect(() => close, []);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), NOTE_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const onCopied = () => setIsCopied(true);
  const places: KeyHandlers = {};
  for (const { keyId, path } of openPlaces(permissions)) if (keyId) places[keyId] = () => router.push(`/${tenant.slug}${path}`);
  useKeys({
    ...places,
    palette: () => showOverlay(overlay === 'palette' ? null : 'palette'),
    help: () => showOverlay('shortcuts'),
    copyLink: () => void navigator.clipboard.writeText(window.location.href).then(onCopied, () => undefined),
  });
  return (
    <>
      <Suspense>
        {overlay === 'palette' ? <CommandPalette onClose={close} onCopied={onCopied} /> : null}
        {overlay === 'shortcuts' ? <ShortcutsDialog onClose={close} /> : null}
      </Suspense>
      {isCopied ? (
        <p
          aria-hidden
          className="fixed bottom-4 left-1/2 z-50 -translate-x-1/2 animate-rise rounded-control border border-border bg-card px-3 py-1.5 text-ui shadow-floating"
        >
          {t('copied')}
        </p>
      ) : null}
      <LiveRegion text={isCopied ? t('copied') : ''} />
    </>
  );
}

/** The palette is to open within a blink, so it is fetched before it is asked for, once nothing else is to do. */
function fetchWhenIdle(): void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in window) requestIdleCallback(fetchBoth, { timeout: 5000 });
  else setTimeout(fetchBoth, 2000);
}
