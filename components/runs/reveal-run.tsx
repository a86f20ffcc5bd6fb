'use client';

import { EyeIcon, EyeOffIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useCan, useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogPanel, DialogTrigger } from '#components/ui/dialog.tsx';
import { useDurationText } from '#components/ui/duration.tsx';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/input.tsx';
import { Time } from '#components/ui/time.tsx';
import { revealView, type TracedRun } from '#lib/record/contract.ts';

const REASON_LENGTH = { min: 3, max: 500 };

interface RevealRunProps {
  run: Pick<TracedRun, 'id' | 'viewing' | 'revealedUntil'>;
  /** How long a reveal lasts. */
  lastsMs: number;
  onRevealed: () => Promise<void>;
}

/** Says that what is personal is hidden, and shows it to those who may see it, once they have said why. */
export function RevealRun({ run, lastsMs, onRevealed }: RevealRunProps) {
  const t = useTranslations('runs.reveal');
  const mayReveal = useCan('run:reveal');
  if (run.viewing === 'own') return null;
  if (run.viewing === 'revealed') {
    return (
      <p role="status" className="flex items-center gap-2 border-s-2 border-warn ps-2 text-ui">
        <EyeIcon aria-hidden className="size-4 shrink-0 text-warn" />
        <span>
          {t('revealed')} {run.revealedUntil ? <Time at={run.revealedUntil} /> : null}
        </span>
      </p>
    );
  }
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ui text-muted-foreground">
      <EyeOffIcon aria-hidden className="size-4 shrink-0" />
      {t('redacted')}
      {mayReveal ? <RevealDialog runId={run.id} lastsMs={lastsMs} onRevealed={onRevealed} /> : null}
    </p>
  );
}

function RevealDialog({ runId, lastsMs, onRevealed }: { runId: string; lastsMs: number; onRevealed: () => Promise<void> }) {
  const t = useTranslations('runs.reveal');
  const durationText = useDurationText();
  const { tenant } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const isShort = reason.trim().length < REASON_LENGTH.min;
  const reveal = async () => {
    setIsSending(true);
    setFailure(null);
    try {
      await requestJson(`/api/t/${tenant.slug}/runs/${runId}/reveal`, revealView, { method: 'POST', body: { reason: reason.trim() } });
      await onRevealed();
      setIsOpen(false);
      setReason('');
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>
        <Button size="small">{t('open')}</Button>
      </DialogTrigger>
      <DialogPanel title={t('title')} description={t('body', { duration: durationText(lastsMs) })}>
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isShort && !isSending) void reveal();
          }}
        >
          <Field label={t('reason')} hint={t('hint')}>
            {(control) => (
              <Textarea
                {...control}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                maxLength={REASON_LENGTH.max}
                rows={3}
                required
              />
            )}
          </Field>
          {failure ? <FailureNotice failure={failure} /> : null}
          <div className="flex justify-end">
            <Button type="submit" look="primary" disabled={isShort || isSending}>
              {isSending ? t('revealing') : t('confirm')}
            </Button>
          </div>
        </form>
      </DialogPanel>
    </Dialog>
  );
}
