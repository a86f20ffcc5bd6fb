'use client';

import { PlusIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import type { TermView } from '#lib/knowledge/contract.ts';
import { TermEditor } from './term-editor.tsx';
import { TermRow } from './term-row.tsx';

/** The words of a workspace, by name, and how to add one. */
export function TermList({ terms, canWrite }: { terms: readonly TermView[]; canWrite: boolean }) {
  const t = useTranslations('knowledge.terms');
  const [isAdding, setIsAdding] = useState(false);
  const add = canWrite ? (
    <Button look="outline" onClick={() => setIsAdding(true)}>
      <PlusIcon aria-hidden />
      {t('add')}
    </Button>
  ) : null;
  return (
    <>
      {isAdding ? (
        <div className="mb-6">
          <TermEditor term={null} onDone={() => setIsAdding(false)} />
        </div>
      ) : terms.length > 0 && add ? (
        <div className="mb-4">{add}</div>
      ) : null}
      {terms.length === 0 ? (
        isAdding ? null : (
          <EmptyState title={t('empty')} action={add}>
            {canWrite ? t('emptyBody') : t('emptyReadOnly')}
          </EmptyState>
        )
      ) : (
        <ul aria-label={t('list')} className="border-t border-border">
          {terms.map((term) => (
            <TermRow key={term.id} term={term} canWrite={canWrite} />
          ))}
        </ul>
      )}
    </>
  );
}
