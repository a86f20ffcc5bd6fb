import { useTranslations } from 'next-intl';
import type { DocumentSearchView } from '#lib/knowledge/contract.ts';

/** One line under the list: by what these documents are searched, and why. */
export function SearchNote({ search }: { search: Pick<DocumentSearchView, 'serving' | 'reason' | 'serves'> }) {
  const t = useTranslations('knowledge.search');
  return (
    <p className="px-4 py-3 text-meta text-muted-foreground">
      {search.reason === 'serving' ? t('serving', { model: search.serves?.model ?? '' }) : t(search.reason)}
    </p>
  );
}
