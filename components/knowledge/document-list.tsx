import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { TimeAgo } from '#components/ui/time.tsx';
import type { DocumentSummaryView } from '#lib/knowledge/contract.ts';

/** What the agents of a workspace can look things up in. */
export function DocumentList({ tenantSlug, documents }: { tenantSlug: string; documents: readonly DocumentSummaryView[] }) {
  const t = useTranslations('knowledge');
  return (
    <ul>
      {documents.map((document) => (
        <li
          key={document.id}
          className="relative flex min-h-11 items-center gap-4 border-b border-border px-4 py-1.5 hover:bg-foreground/4"
        >
          <Link
            href={`/${tenantSlug}/knowledge/${document.id}`}
            lang={document.language}
            className="min-w-0 flex-1 truncate text-ui font-medium after:absolute after:inset-0 after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-ring"
          >
            {document.title}
          </Link>
          <span className="text-meta text-muted-foreground max-sm:hidden" lang={document.language}>
            {LOCALE_NAMES[document.language]}
          </span>
          <span className="text-meta whitespace-nowrap text-muted-foreground tabular max-sm:hidden">
            {t('version', { version: document.version })}
          </span>
          <span className="w-28 text-end text-meta whitespace-nowrap text-muted-foreground">
            <TimeAgo at={document.updatedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
