'use client';

import { DownloadIcon } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuPanel, MenuTrigger } from '#components/ui/menu.tsx';
import { exportView } from '#lib/record/contract.ts';

const FORMATS = [
  { key: 'json', body: { format: 'json' } },
  { key: 'csv', body: { format: 'csv' } },
  { key: 'excel', body: { format: 'csv', bom: true } },
] as const;

/** Has a file made of a run, or of the runs that filters leave, and goes to where it can be waited for and fetched. */
export function ExportMenu({ request }: { request: { run: string } | { query: Readonly<Record<string, unknown>> } }) {
  const t = useTranslations('exports');
  const { tenant } = useMe();
  const router = useRouter();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const ask = async (body: (typeof FORMATS)[number]['body']) => {
    setIsSending(true);
    setFailure(null);
    try {
      await requestJson(`/api/t/${tenant.slug}/exports`, exportView, { method: 'POST', body: { ...body, ...request } });
      router.push(`/${tenant.slug}/exports`);
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button disabled={isSending}>
            <DownloadIcon aria-hidden />
            {t('export')}
          </Button>
        </MenuTrigger>
        <MenuPanel align="end">
          <MenuLabel>{'run' in request ? t('thisRun') : t('theseRuns')}</MenuLabel>
          {FORMATS.map(({ key, body }) => (
            <MenuItem key={key} onSelect={() => void ask(body)}>
              {t(`formats.${key}`)}
            </MenuItem>
          ))}
        </MenuPanel>
      </Menu>
      {failure ? <FailureNotice failure={failure} className="basis-full" /> : null}
    </>
  );
}
