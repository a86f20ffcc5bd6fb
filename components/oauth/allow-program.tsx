'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/input.tsx';
import { authorizeClientResult } from '#lib/oauth/contract.ts';

interface AllowProgramProps {
  workspaces: readonly { slug: string; name: string }[];
  asked: { clientId: string; redirectUri: string; codeChallenge: string; state: string | null };
  /** Where the program hears that it was not allowed. */
  denyTo: string;
}

/** The person's answer to a program: in which workspace, or not at all. The program is told by way of this browser. */
export function AllowProgram({ workspaces, asked, denyTo }: AllowProgramProps) {
  const t = useTranslations('programs');
  const { isSending, failure, send } = useSending();
  const [slug, setSlug] = useState(workspaces[0]?.slug ?? '');
  const [isLeaving, setIsLeaving] = useState(false);
  const allow = (event: FormEvent) => {
    event.preventDefault();
    void send(async () => {
      const { redirectTo } = await requestJson(`/api/t/${slug}/program-authorizations`, authorizeClientResult, {
        method: 'POST',
        body: asked,
      });
      setIsLeaving(true);
      window.location.assign(redirectTo);
    });
  };
  return (
    <form className="mt-6 flex flex-col gap-4" onSubmit={allow}>
      <Field label={t('workspace')}>
        {(control) => (
          <Select {...control} value={slug} onChange={({ target }) => setSlug(target.value)}>
            {workspaces.map((workspace) => (
              <option key={workspace.slug} value={workspace.slug}>
                {workspace.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {failure?.code === 'permission_denied' ? (
        <ErrorState cause={t('notMember.cause')} nextStep={t('notMember.next')} traceId={failure.traceId} />
      ) : failure ? (
        <FailureNotice failure={failure} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" size="large" disabled={isSending || isLeaving}>
          {isSending || isLeaving ? t('allowing') : t('allow')}
        </Button>
        <a href={denyTo} className={buttonClasses({ look: 'quiet', size: 'large' })}>
          {t('deny')}
        </a>
      </div>
    </form>
  );
}
