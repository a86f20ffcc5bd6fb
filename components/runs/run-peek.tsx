'use client';

import { XIcon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { ScrollRegion } from '#components/ui/scroll-region.tsx';
import { type RunTrace, runTrace } from '#lib/record/contract.ts';
import { OutcomeSentence } from './outcome-sentence.tsx';
import { RunInspector } from './run-inspector.tsx';
import { RunStateChip } from './run-state-chip.tsx';
import { RunStrip } from './run-strip.tsx';
import { stepTones } from './run-tones.ts';

/** A run beside the list: how it came out, what was asked and what was answered. The list keeps the focus. */
export function RunPeek({ runId, onClose }: { runId: string; onClose: () => void }) {
  const t = useTranslations('runs.peek');
  const { tenant } = useMe();
  const [read, setRead] = useState<{ id: string; trace: RunTrace | null; failure: RequestFailure | null } | null>(null);
  useKeys({ close: onClose });
  const path = `/api/t/${tenant.slug}/runs/${runId}/trace`;
  useEffect(() => {
    const abort = new AbortController();
    requestJson(path, runTrace, { signal: abort.signal }).then(
      (trace) => setRead({ id: runId, trace, failure: null }),
      (thrown: unknown) => {
        if (!abort.signal.aborted) setRead({ id: runId, trace: null, failure: toRequestFailure(thrown) });
      },
    );
    return () => abort.abort();
  }, [path, runId]);
  // What was read before stays until the next is there: nothing flickers from row to row.
  const trace = read?.trace;
  return (
    <aside
      aria-label={t('label')}
      aria-busy={read?.id !== runId}
      className="flex min-h-0 w-[min(26rem,100%)] shrink-0 flex-col border-s border-border bg-background max-2xl:absolute max-2xl:inset-y-0 max-2xl:end-0 max-2xl:z-20 max-2xl:shadow-floating"
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-border px-4 py-2">
        <Link href={`/${tenant.slug}/runs/${runId}`} prefetch={false} className={buttonClasses({ look: 'outline' })}>
          {t('open')}
        </Link>
        <Button look="quiet" size="square" aria-label={t('close')} title={`${t('close')} (Esc)`} onClick={onClose} className="ms-auto">
          <XIcon aria-hidden />
        </Button>
      </div>
      {read?.failure ? <FailureNotice failure={read.failure} className="m-4" /> : null}
      {trace ? (
        <ScrollRegion label={t('label')}>
          <div className="px-4 pt-3">
            <RunStateChip state={trace.run.state} />
            <p aria-live="polite" className="mt-1 text-section font-semibold text-balance">
              <OutcomeSentence run={trace.run} />
            </p>
            <RunStrip tones={stepTones(trace.run)} className="mt-2" />
          </div>
          <RunInspector run={trace.run} spans={[]} events={[]} log={[]} selected={null} />
        </ScrollRegion>
      ) : null}
    </aside>
  );
}
