'use client';

import { PencilIcon, Trash2Icon } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Markdown } from '#components/chat/markdown.tsx';
import { useCan, useMe } from '#components/shell/me-scope.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { LOCALE_NAMES } from '#components/theme/locale-names.ts';
import { Button } from '#components/ui/button.tsx';
import { ScrollRegion } from '#components/ui/scroll-region.tsx';
import { Time } from '#components/ui/time.tsx';
import type { DocumentView, PassageView } from '#lib/knowledge/contract.ts';
import { DeleteDocument } from './delete-document.tsx';
import { DocumentEditor } from './document-editor.tsx';

/** A document: to read, and with the right to it, to edit and remove. */
export function DocumentReader({ document, passage = null }: { document: DocumentView; passage?: PassageView | null }) {
  const t = useTranslations('knowledge');
  const { tenant } = useMe();
  const canWrite = useCan('knowledge:write');
  const [isEditing, setIsEditing] = useState(false);
  return (
    <>
      <PageHead
        title={
          <>
            <Link href={`/${tenant.slug}/knowledge`} className="font-normal text-muted-foreground hover:text-foreground">
              {t('pages.list')}
            </Link>
            <span className="px-2 font-normal text-muted-foreground" aria-hidden>
              {'/'}
            </span>
            <span lang={document.language}>{document.title}</span>
          </>
        }
      >
        {canWrite && !isEditing ? (
          <>
            <DeleteDocument tenantSlug={tenant.slug} document={document} trigger={<Trash2Icon aria-hidden />} />
            <Button onClick={() => setIsEditing(true)}>
              <PencilIcon aria-hidden />
              {t('edit')}
            </Button>
          </>
        ) : null}
      </PageHead>
      <ScrollRegion label={document.title}>
        {isEditing ? (
          <DocumentEditor
            key={document.version}
            tenantSlug={tenant.slug}
            document={document}
            startLanguage={document.language}
            onDone={() => setIsEditing(false)}
          />
        ) : (
          <div className="max-w-[84ch] p-4">
            <p className="mb-4 flex flex-wrap gap-x-4 border-b border-border pb-3 text-meta text-muted-foreground">
              <span lang={document.language}>{LOCALE_NAMES[document.language]}</span>
              <span>{t('version', { version: document.version })}</span>
              <span>
                {t('saved')} <Time at={document.updatedAt} />
              </span>
            </p>
            {passage ? (
              <section aria-label={t('passage')} className="mb-6 border-s-2 border-primary bg-sunken px-3 py-2">
                <p className="pb-1 text-meta text-muted-foreground">
                  {t('passage')}
                  {passage.section === '' ? null : ` · ${passage.section}`}
                </p>
                <Markdown text={passage.text} />
              </section>
            ) : null}
            <Markdown text={document.body} />
          </div>
        )}
      </ScrollRegion>
    </>
  );
}
