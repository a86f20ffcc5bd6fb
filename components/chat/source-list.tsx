import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { z } from 'zod';
import { useMe } from '#components/shell/me-scope.tsx';

const found = z.object({
  passages: z.array(z.object({ documentId: z.string(), chunkId: z.string(), title: z.string(), section: z.string() })).min(1),
});

/** The passages that a search found, each a link to where it stands; nothing for any other result. */
export function SourceList({ output }: { output: unknown }) {
  const t = useTranslations('chat');
  const { tenant } = useMe();
  const parsed = found.safeParse(output);
  if (!parsed.success) return null;
  return (
    <ul aria-label={t('sources')} className="flex flex-wrap gap-x-3 gap-y-1 pb-1.5 ps-5.5 text-meta">
      {parsed.data.passages.map(({ documentId, chunkId, title, section }) => (
        <li key={chunkId} className="min-w-0">
          <Link
            href={`/${tenant.slug}/knowledge/${documentId}?passage=${chunkId}`}
            className="block truncate text-primary underline underline-offset-2"
          >
            {[title, section].filter((part) => part !== '').join(' › ')}
          </Link>
        </li>
      ))}
    </ul>
  );
}
