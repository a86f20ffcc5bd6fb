'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { ErrorState } from '#components/ui/error-state.tsx';
import { useFailureAction } from './failure-action-scope.tsx';
import type { RequestFailure } from './request.ts';

/** Codes that have a cause and a next step of their own; any other failure is told in the server's words. */
const TOLD = [
  'already_decided',
  'conflict',
  'forbidden_origin',
  'internal',
  'invalid_request',
  'last_owner',
  'message_empty',
  'message_too_large',
  'not_found',
  'offline',
  'permission_denied',
  'plugin_not_installed',
  'rate_limited',
  'session_closed',
  'unauthenticated',
  'unavailable',
  'viewing_role',
] as const;
type ToldCode = (typeof TOLD)[number];

function isTold(code: string): code is ToldCode {
  return (TOLD as readonly string[]).includes(code);
}

/** A failed request, where it happened: cause, next step, trace id. */
export function FailureNotice({ failure, action, className }: { failure: RequestFailure; action?: ReactNode; className?: string }) {
  const t = useTranslations('states');
  const actionFor = useFailureAction();
  const waitSeconds = secondsToWait(failure);
  const text =
    waitSeconds !== null
      ? { cause: t('failures.rate_limited.cause'), nextStep: t('failures.rate_limited.after', { seconds: waitSeconds }) }
      : isTold(failure.code)
        ? { cause: t(`failures.${failure.code}.cause`), nextStep: t(`failures.${failure.code}.next`) }
        : { cause: failure.message, nextStep: t('failures.internal.next') };
  return <ErrorState {...text} traceId={failure.traceId} action={action ?? actionFor(failure)} {...(className ? { className } : {})} />;
}

const waiting = z.object({ retryAfterSeconds: z.number().positive() });

/** How long a refusal for too many requests holds; null for any other failure. */
function secondsToWait(failure: RequestFailure): number | null {
  const parsed = failure.code === 'rate_limited' ? waiting.safeParse(failure.details) : null;
  return parsed?.success ? parsed.data.retryAfterSeconds : null;
}
