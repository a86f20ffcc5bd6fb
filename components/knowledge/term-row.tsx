'use client';

import { PencilIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { TermView } from '#lib/knowledge/contract.ts';
import { DeleteTerm } from './delete-term.tsx';
import { TermEditor } from './term-editor.tsx';

/** One term: what it means, what else it is called, and its editing in its own place. */
export function TermRow({ term, canWrite }: { term: TermView; canWrite: boolean }) {
  const t = useTranslations('knowledge.terms');
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) {
    return (
      <li className="border-b border-border py-3">
        <TermEditor term={term} onDone={() => setIsEditing(false)} />
      </li>
    );
  }
  return (
    <li className="flex items-start gap-2 border-b border-border py-2.5">
      <div className="min-w-0 flex-1">
        <p className="text-ui font-medium break-words">{term.term}</p>
        <p className="text-ui break-words">{term.meaning}</p>
        {term.synonyms.length > 0 ? (
          <p className="text-meta break-words text-muted-foreground">{t('alsoCalled', { names: term.synonyms.join(t('between')) })}</p>
        ) : null}
      </div>
      {canWrite ? (
        <>
          <Button
            look="quiet"
            size="square"
            aria-label={t('edit', { term: term.term })}
            title={t('edit', { term: term.term })}
            onClick={() => setIsEditing(true)}
          >
            <PencilIcon aria-hidden />
          </Button>
          <DeleteTerm term={term} />
        </>
      ) : null}
    </li>
  );
}
