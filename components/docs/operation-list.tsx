import { useTranslations } from 'next-intl';
import type { OperationGroup } from './read-operations.ts';

/** What can be asked of the API, by area. Summaries are written for programmers and stand in English. */
export function OperationList({ groups }: { groups: readonly OperationGroup[] }) {
  const t = useTranslations('docs.api');
  return groups.map(({ tag, operations }) => (
    <section key={tag} id={tag} className="mt-7 scroll-mt-3">
      <h2 className="border-b border-border pb-1.5 text-section font-semibold" lang="en">
        {tag}
      </h2>
      <ul>
        {operations.map(({ id, method, path, summary, permission, isPublic }) => (
          <li
            key={id}
            id={id}
            className="grid scroll-mt-3 grid-cols-[minmax(0,1fr)] gap-x-4 border-b border-border py-2 target:bg-primary/8 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
          >
            <p className="font-mono text-meta wrap-anywhere">
              <span className="inline-block w-14 font-semibold">{method}</span>
              {path}
            </p>
            <p className="text-ui">
              <span lang="en">{summary}</span>{' '}
              <span className="text-meta text-muted-foreground">
                {permission ? t('permission', { permission }) : isPublic ? t('public') : t('signIn')}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  ));
}
