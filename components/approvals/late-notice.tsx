import { useTranslations } from 'next-intl';
import { z } from 'zod';
import type { RequestFailure } from '#components/api/request.ts';
import { Time } from '#components/ui/time.tsx';

const lateDecision = z.object({
  state: z.enum(['APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN']),
  by: z.string().nullable(),
  at: z.string().nullable(),
});
type LateDecision = z.infer<typeof lateDecision>;

/** Who was faster, where a decision came too late; null for any other failure. */
export function lateDecisionOf(failure: RequestFailure): LateDecision | null {
  return failure.code === 'already_decided' ? (lateDecision.safeParse(failure.details).data ?? null) : null;
}

export function LateNotice({ late: { state, by, at } }: { late: LateDecision }) {
  const t = useTranslations('approvals.decided');
  const name = by ?? '';
  return (
    <p role="alert" className="text-ui font-medium">
      {state === 'APPROVED'
        ? t('allowed', { name })
        : state === 'DENIED'
          ? t('denied', { name })
          : t(state === 'EXPIRED' ? 'expired' : 'withdrawn')}
      {at ? (
        <>
          {' · '}
          <Time at={at} />
        </>
      ) : null}
    </p>
  );
}
