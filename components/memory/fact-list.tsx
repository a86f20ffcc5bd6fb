'use client';

import { useTranslations } from 'next-intl';
import { EmptyState } from '#components/ui/empty-state.tsx';
import type { FactView } from '#lib/knowledge/contract.ts';
import { AddFact } from './add-fact.tsx';
import { FactRow } from './fact-row.tsx';

/** The server lists no more than this. */
const SHOWN_FACTS = 500;

/** What is remembered of a person in a workspace, newest first, and how to add to it. */
export function FactList({ facts, canWrite }: { facts: readonly FactView[]; canWrite: boolean }) {
  const t = useTranslations('memory');
  return (
    <>
      {canWrite ? <AddFact /> : null}
      {facts.length === 0 ? (
        <EmptyState title={t('empty')} example={canWrite ? t('example') : null}>
          {canWrite ? t('emptyBody') : t('emptyReadOnly')}
        </EmptyState>
      ) : (
        <>
          <ul aria-label={t('list')} className="border-t border-border">
            {facts.map((fact) => (
              <FactRow key={fact.id} fact={fact} canWrite={canWrite} />
            ))}
          </ul>
          {facts.length >= SHOWN_FACTS ? (
            <p className="mt-3 text-meta text-muted-foreground">{t('full', { count: facts.length })}</p>
          ) : null}
        </>
      )}
    </>
  );
}
