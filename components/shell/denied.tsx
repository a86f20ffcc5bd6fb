'use client';

import { useTranslations } from 'next-intl';
import { RequestAccess } from '#components/tenancy/request-access.tsx';
import { useRoleName } from '#components/tenancy/use-role-name.ts';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { useMe } from './me-scope.tsx';

/** A page the person's role does not open: what it needs, who can give it, and a way to ask them. */
export function Denied({ permission }: { permission: string }) {
  const t = useTranslations('states.denied');
  const roleName = useRoleName();
  const { role } = useMe();
  return (
    <div className="flex max-w-[60ch] flex-col gap-2 overflow-y-auto p-6">
      <h1 className="flex items-center gap-2 text-page font-semibold">
        <StateGlyph tone="stopped" className="size-4" />
        {t('title')}
      </h1>
      <p className="text-chat">{t('needs', { permission, role: roleName(role) })}</p>
      <RequestAccess permission={permission} />
    </div>
  );
}
