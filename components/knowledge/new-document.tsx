'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useMe } from '#components/shell/me-scope.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { DocumentEditor } from './document-editor.tsx';

/** A document that does not exist yet. */
export function NewDocument() {
  const t = useTranslations('knowledge.pages');
  const locale = useLocale();
  const router = useRouter();
  const { tenant } = useMe();
  return (
    <>
      <PageHead title={t('new')} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <DocumentEditor
          tenantSlug={tenant.slug}
          document={null}
          startLanguage={locale}
          onDone={() => router.push(`/${tenant.slug}/knowledge`)}
        />
      </div>
    </>
  );
}
