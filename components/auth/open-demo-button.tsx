'use client';

import { ArrowRightIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { signIn } from './next-auth-client.ts';
import { type SignInProblem, signInProblem } from './sign-in-problem.ts';

/** Opens the demo workspace in one click, on a chat whose run has been made already. */
export function OpenDemoButton({ slug }: { slug: string }) {
  const t = useTranslations('welcome.demo');
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const [isOpening, setIsOpening] = useState(false);
  const open = async () => {
    setIsOpening(true);
    setProblem(null);
    const found = signInProblem(await signIn('demo').catch(() => undefined));
    if (found === null) {
      window.location.assign(`/${slug}?sample=1`);
      return;
    }
    setProblem(found);
    setIsOpening(false);
  };
  return (
    <div className="flex flex-col items-start gap-3">
      <Button look="primary" size="large" disabled={isOpening} onClick={() => void open()}>
        {isOpening ? t('opening') : t('open')}
        <ArrowRightIcon aria-hidden />
      </Button>
      {problem ? <ErrorState cause={t('failed')} nextStep={t('failedNext')} /> : null}
    </div>
  );
}
