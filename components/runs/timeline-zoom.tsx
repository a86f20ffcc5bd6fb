'use client';

import { MaximizeIcon, ZoomInIcon, ZoomOutIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { useTimelineWindow } from './use-timeline-window.ts';

const STEPS = 200;

/** Comes closer to a timeline, moves along it, and shows all of it again. */
export function TimelineZoom({ zoom: { window, closer, back, fit, moveTo } }: { zoom: ReturnType<typeof useTimelineWindow> }) {
  const t = useTranslations('runs.timeline');
  const room = 1 - (window.to - window.from);
  return (
    <span className="flex items-center gap-1">
      {room > 0 ? (
        <input
          type="range"
          min={0}
          max={room}
          step={room / STEPS}
          value={window.from}
          aria-label={t('position')}
          onChange={(event) => moveTo(Number(event.target.value))}
          className="touchable w-28 accent-primary"
        />
      ) : null}
      <ZoomButton label={t('zoomOut')} press="−" onClick={back}>
        <ZoomOutIcon aria-hidden />
      </ZoomButton>
      <ZoomButton label={t('zoomIn')} press="+" onClick={closer}>
        <ZoomInIcon aria-hidden />
      </ZoomButton>
      <ZoomButton label={t('fit')} press="0" onClick={room > 0 ? fit : null}>
        <MaximizeIcon aria-hidden />
      </ZoomButton>
    </span>
  );
}

function ZoomButton(props: { label: string; press: string; onClick: (() => void) | null; children: ReactNode }) {
  const { label, press, onClick, children } = props;
  return (
    <Button
      look="quiet"
      size="square"
      aria-label={label}
      title={`${label} (${press})`}
      disabled={onClick === null}
      onClick={() => onClick?.()}
    >
      {children}
    </Button>
  );
}
