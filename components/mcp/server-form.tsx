'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone, requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { type McpServersView, type McpServerView, mcpServerDetail } from '#lib/mcp/contract.ts';
import { HeaderFields } from './header-fields.tsx';
import { type DraftField, findProblems, type ServerDraft, toCreateBody, toUpdateBody } from './server-draft.ts';
import { SignInFields } from './sign-in-fields.tsx';

const MS = 1000;

interface ServerFormProps {
  server: McpServerView | null;
  programs: McpServersView['programs'];
  onDone: () => void;
}

/** Adds a server, and leads to what came of it; or changes one. Stored headers are never shown: an empty field keeps them. */
export function ServerForm({ server, programs, onDone }: ServerFormProps) {
  const t = useTranslations('mcp.form');
  const { tenant } = useMe();
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const { isSending, failure, send } = useSending();
  const [draft, setDraft] = useState<ServerDraft>({
    name: server?.name ?? '',
    program: server?.program ?? '',
    url: server?.url ?? '',
    headers: '',
    isSignIn: server?.auth === 'oauth',
    clientId: '',
    clientSecret: '',
    scope: server?.signIn?.scope ?? '',
    timeoutSeconds: String((server?.timeoutMs ?? 180_000) / MS),
  });
  const [areHeadersRemoved, setAreHeadersRemoved] = useState(false);
  const [problems, setProblems] = useState<ReturnType<typeof findProblems>>({});
  const change = (part: Partial<ServerDraft>) => {
    setDraft({ ...draft, ...part });
    setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in part))));
  };
  const problemOf = (field: DraftField) => {
    const problem = problems[field];
    return problem ? t(`problems.${problem}`) : null;
  };
  const before = server?.signIn ? { scope: server.signIn.scope ?? '' } : null;
  const save = async () => {
    const found = findProblems(draft, server === null);
    setProblems(found);
    if (Object.keys(found).length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    const path = `/api/t/${tenant.slug}/mcp/servers`;
    const isSaved = await send(async () => {
      if (server) await requestDone(`${path}/${server.id}`, { method: 'PATCH', body: toUpdateBody(draft, areHeadersRemoved, before) });
      else {
        const made = await requestJson(path, mcpServerDetail, { method: 'POST', body: toCreateBody(draft) });
        router.push(`/${tenant.slug}/settings/mcp/${made.id}`);
      }
    });
    if (!isSaved) return;
    router.refresh();
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const isLocal = draft.program !== '';
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {server ? null : (
        <Field label={t('name')} hint={t('nameHint')} problem={problemOf('name')}>
          {(control) => (
            <Input
              {...control}
              className="font-mono"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
      )}
      {server === null && programs.length > 0 ? (
        <Field label={t('reach')} hint={isLocal ? t('programHint') : null}>
          {(control) => (
            <Select {...control} value={draft.program} onChange={(event) => change({ program: event.target.value })}>
              <option value="">{t('byAddress')}</option>
              {programs.map(({ key, title }) => (
                <option key={key} value={key}>
                  {t('byProgram', { title })}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      {isLocal ? null : (
        <>
          <Field label={t('url')} hint={t('urlHint')} problem={problemOf('url')}>
            {(control) => (
              <Input
                {...control}
                className="font-mono"
                inputMode="url"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                value={draft.url}
                onChange={(event) => change({ url: event.target.value })}
              />
            )}
          </Field>
          <Field label={t('auth')} hint={draft.isSignIn ? t(before ? 'authChanges' : 'authHint') : null}>
            {(control) => (
              <Select
                {...control}
                value={draft.isSignIn ? 'sign-in' : 'headers'}
                onChange={(event) => change({ isSignIn: event.target.value === 'sign-in' })}
              >
                <option value="headers">{t('authHeaders')}</option>
                <option value="sign-in">{t('authSignIn')}</option>
              </Select>
            )}
          </Field>
          {draft.isSignIn ? (
            <SignInFields draft={draft} isKept={server?.signIn?.isGiven === true} problemOf={problemOf} onChange={change} />
          ) : (
            <HeaderFields
              server={server}
              draft={draft}
              problem={problemOf('headers')}
              areRemoved={areHeadersRemoved}
              onRemove={setAreHeadersRemoved}
              onChange={change}
            />
          )}
        </>
      )}
      <Field label={t('timeout')} hint={t('timeoutHint')} problem={problemOf('timeoutSeconds')}>
        {(control) => (
          <Input
            {...control}
            className="w-28 tabular"
            inputMode="numeric"
            value={draft.timeoutSeconds}
            onChange={(event) => change({ timeoutSeconds: event.target.value })}
          />
        )}
      </Field>
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onDone} disabled={isSending}>
          {t('leave')}
        </Button>
        <Button type="submit" look="primary" disabled={isSending}>
          {isSending ? t('connecting') : server ? t('save') : t('connect')}
        </Button>
      </div>
    </form>
  );
}
