'use client';

import { useTranslations } from 'next-intl';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import type { TimelineSpan } from './timeline-spans.ts';

/** What a row of the timeline is called. */
export function useSpanLabel(): (span: TimelineSpan) => string {
  const t = useTranslations('runs.timeline.kinds');
  const titleOf = useCapabilityTitle();
  return (span) => {
    if (span.agentId !== undefined) return `${span.agentId} · ${t(span.kind)}`;
    return span.capabilityId === null ? (span.kind === 'call' ? span.id : t(span.kind)) : (titleOf(span.capabilityId) ?? span.capabilityId);
  };
}
