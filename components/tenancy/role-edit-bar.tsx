'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import type { RoleView } from '#lib/tenancy/contract.ts';
import { changesOf, type RoleDraft } from './role-draft.ts';

interface RoleEditBarProps {
  role: RoleView;
  draft: RoleDraft;
  onDraft: (draft: RoleDraft) => void;
  /** With what a screen reader should hear of it. */
  onEnd: (text: string) => void;
}

/** What saving the role would change and for how many, below the matrix in which it is edited. */
export function RoleEditBar({ role, draft, onDraft, onEnd }: RoleEditBarProps) {
  const t = useTranslations('people.roles');
  const { tenant } = useMe();
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const { added, removed, isRenamed } = changesOf(draft, role);
  const isChanged = isRenamed || added.length + removed.length > 0;
  const isEmpty = draft.permissions.length === 0;
  const summary = isChanged ? t('editing.changes', { added: added.length, removed: removed.length }) : t('editing.unchanged');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const body = { name: draft.name.trim(), permissions: draft.permissions };
    if (!(await send(() => requestDone(`/api/t/${tenant.slug}/roles/${role.id}`, { method: 'PATCH', body })))) return;
    router.refresh();
    onEnd(summary);
  };
  const isTaken = failure?.code === 'role_exists';
  return (
    <form
      aria-label={t('editing.title', { role: role.name })}
      onSubmit={(event) => void save(event)}
      className="sticky bottom-0 z-40 mt-2 flex flex-col gap-2 rounded-card border border-border bg-sunken px-4 py-3"
    >
      {failure && !isTaken ? <FailureNotice failure={failure} /> : null}
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Field label={t('editing.name')} problem={isTaken ? t('new.taken') : undefined} className="w-56 max-sm:w-full">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={60}
              value={draft.name}
              onChange={(event) => onDraft({ ...draft, name: event.target.value })}
            />
          )}
        </Field>
        <div className="min-w-48 flex-1 text-ui">
          <p aria-live="polite" className="font-medium">
            {isEmpty ? t('editing.needsOne') : summary}
          </p>
          <p className="text-meta text-muted-foreground">{t('editing.people', { count: role.memberCount })}</p>
        </div>
        <div className="flex gap-2">
          <Button look="quiet" onClick={() => onEnd('')}>
            {t('editing.discard')}
          </Button>
          <Button type="submit" look="primary" disabled={isSending || !isChanged || isEmpty}>
            {isSending ? t('editing.saving') : t('editing.save')}
          </Button>
        </div>
      </div>
    </form>
  );
}
