import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { Cell, Column, Row, rowLinkClasses, Table } from '#components/ui/table.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { DocumentSummaryView } from '#lib/knowledge/contract.ts';

/** What the agents of a workspace can look things up in. */
export function DocumentList({ tenantSlug, documents }: { tenantSlug: string; documents: readonly DocumentSummaryView[] }) {
  const t = useTranslations('knowledge');
  return (
    <Table
      label={t('pages.list')}
      columns={
        <>
          <Column className="w-full">{t('columns.title')}</Column>
          <Column className="max-sm:hidden">{t('columns.language')}</Column>
          <Column isNumber className="max-sm:hidden">
            {t('columns.version')}
          </Column>
          <Column isNumber>{t('columns.changed')}</Column>
        </>
      }
    >
      {documents.map((document) => (
        <Row key={document.id}>
          <Cell className="max-w-0">
            <Link href={`/${tenantSlug}/knowledge/${document.id}`} lang={document.language} className={`block truncate ${rowLinkClasses}`}>
              {document.title}
            </Link>
          </Cell>
          <Cell lang={document.language} className="whitespace-nowrap text-muted-foreground max-sm:hidden">
            {LOCALE_NAMES[document.language]}
          </Cell>
          <Cell isNumber className="text-muted-foreground max-sm:hidden">
            {document.version}
          </Cell>
          <Cell isNumber className="text-muted-foreground">
            <TimeAgo at={document.updatedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
