'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { getCsrfToken, partOf, textOf } from './next-auth-client.ts';
import { type ProviderProblem, toProviderProblem } from './provider-problem.ts';

/** Leads to the sign-in provider; when it cannot be reached, says so here. */
export function ProviderButton({ label, callbackPath }: { label: string | null; callbackPath: string }) {
  const t = useTranslations('auth.provider');
  const [isLeaving, setIsLeaving] = useState(false);
  const [problem, setProblem] = useState<ProviderProblem | null>(null);
  const leave = async () => {
    setIsLeaving(true);
    setProblem(null);
    const next = await askWhereTo(callbackPath);
    if (next.url) return window.location.assign(next.url);
    setProblem(next.problem);
    setIsLeaving(false);
  };
  return (
    <div className="flex flex-col gap-3">
      {problem ? <ErrorState cause={t(`problems.${problem}.cause`)} nextStep={t(`problems.${problem}.next`)} /> : null}
      <Button size="large" disabled={isLeaving} onClick={() => void leave()}>
        {isLeaving ? t('leaving') : label === null ? t('continue') : t('continueWith', { label })}
      </Button>
    </div>
  );
}

async function askWhereTo(callbackPath: string): Promise<{ url: string; problem: null } | { url: null; problem: ProviderProblem }> {
  try {
    const response = await fetch('/api/auth/signin/oidc', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ csrfToken: await getCsrfToken(), callbackUrl: callbackPath, json: 'true' }),
    });
    const answer: unknown = await response.json();
    const url = textOf(answer, 'url');
    if (response.ok && url !== '') return { url, problem: null };
    const reason = textOf(partOf(answer, 'details'), 'reason') || textOf(answer, 'code');
    return { url: null, problem: toProviderProblem(reason) ?? 'unproved' };
  } catch {
    return { url: null, problem: 'offline' };
  }
}
