import { useTranslations } from 'next-intl';
import { Fact, Facts } from '#components/ui/facts.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import type { AccessView } from '#lib/tenancy/contract.ts';
import { useRoleName } from './use-role-name.ts';

/** Whether somebody may do something, the rule that decided it, and who could change it. */
export function AccessExplanation({ access, subjectName }: { access: AccessView; subjectName: string }) {
  const t = useTranslations('people.access');
  const roleName = useRoleName();
  const role = roleName(access.person.role);
  const { name } = access.person;
  const reason =
    access.rule === 'granted' && access.required.length === 0
      ? t('rules.grantedNothing')
      : t(`rules.${access.rule}`, {
          role,
          name,
          permissions: (access.rule === 'lacking' ? access.lacking : access.required).join(', '),
        });
  return (
    <section aria-live="polite" className="flex flex-col gap-4 rounded-card border border-border bg-card p-4">
      <div className="flex flex-col gap-1">
        <p className="text-ui text-muted-foreground">
          {name} · {subjectName}
        </p>
        <h2 className="flex items-center gap-2 text-section font-semibold">
          <StateGlyph tone={access.isAllowed ? 'ok' : 'error'} />
          {access.isAllowed ? t('allowed') : t('denied')}
        </h2>
        <p className="text-chat">{reason}</p>
        {access.isAllowed && access.needsApproval ? <p className="text-ui text-muted-foreground">{t('approval')}</p> : null}
      </div>
      <Facts className="border-t border-border pt-3">
        {access.required.length > 0 ? (
          <Fact name={t('required')}>
            <code className="font-mono break-words">{access.required.join(' ')}</code>
          </Fact>
        ) : null}
        <Fact name={t('roles')}>{access.grantingRoles.length > 0 ? access.grantingRoles.map(roleName).join(', ') : t('noRole')}</Fact>
        {access.isAllowed ? null : (
          <Fact name={t('granters')}>
            {access.granters.length > 0 ? access.granters.map((person) => `${person.name} (${person.email})`).join(', ') : t('nobody')}
          </Fact>
        )}
      </Facts>
    </section>
  );
}
