import type { Metadata } from 'next';
import Form from 'next/form';
import { getLocale, getTranslations } from 'next-intl/server';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { AccessExplanation } from '#components/tenancy/access-explanation.tsx';
import { PERMISSION_GROUPS } from '#components/tenancy/permission-groups.ts';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/input.tsx';
import { permissionName } from '#lib/tenancy/contract.ts';
import { loadAccess, loadCapabilities, loadMembers, loadShell, oneOf, type SearchParams } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('people.title');
  return { title: t('access') };
}

interface AccessPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<SearchParams>;
}

/** Who and what is asked about is in the address, so that an answer can be sent to whoever asked. */
export default async function AccessPage({ params, searchParams }: AccessPageProps) {
  const [{ tenant }, search, t, locale] = await Promise.all([params, searchParams, getTranslations('people'), getLocale()]);
  const what = oneOf(search.what) ?? '';
  const user = oneOf(search.user);
  const permission = permissionName.safeParse(what).data;
  const capability = what.startsWith('capability/') ? what.slice('capability/'.length) : undefined;
  const [me, access, members, capabilities] = await Promise.all([
    loadShell(tenant),
    loadAccess(tenant, { user, permission, capability }),
    loadMembers(tenant, {}),
    loadCapabilities(tenant),
  ]);
  if (!access.isAllowed) return <Denied permission={access.permission} />;
  const people = members.isAllowed ? members.value.items.filter(({ userId }) => userId !== me.user.id) : [];
  const answer = access.value;
  // Somebody far down a long list is asked about by a link from their row.
  const isListed = !answer || answer.person.userId === me.user.id || people.some(({ userId }) => userId === answer.person.userId);
  const capabilityName = capabilities.find(({ id }) => id === capability)?.title[locale] ?? capability ?? '';
  return (
    <SettingsPage title={t('access.title')} intro={t('access.intro')}>
      <Form action={`/${tenant}/settings/access`} className="flex flex-wrap items-end gap-3">
        <Field label={t('access.person')} className="min-w-48 flex-1">
          {(control) => (
            <Select {...control} name="user" defaultValue={user ?? ''}>
              <option value="">{t('access.me')}</option>
              {isListed ? null : <option value={answer.person.userId}>{answer.person.name}</option>}
              {people.map((person) => (
                <option key={person.userId} value={person.userId}>
                  {person.name} ({person.email})
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('access.what')} className="min-w-48 flex-1">
          {(control) => (
            <Select {...control} name="what" defaultValue={what} required>
              <option value="">{t('access.none')}</option>
              {PERMISSION_GROUPS.map((group) => (
                <optgroup key={group.noun} label={t(`resources.${group.noun}`)}>
                  {group.permissions.map((name) => (
                    <option key={name} value={name}>
                      {t(`permissions.${name}`)} ({name})
                    </option>
                  ))}
                </optgroup>
              ))}
              <optgroup label={t('access.capabilities')}>
                {capabilities.map(({ id, title }) => (
                  <option key={id} value={`capability/${id}`}>
                    {title[locale]} ({id})
                  </option>
                ))}
              </optgroup>
            </Select>
          )}
        </Field>
        <Button type="submit" look="primary">
          {t('access.ask')}
        </Button>
      </Form>
      {answer ? (
        <AccessExplanation access={answer} subjectName={permission ? t(`permissions.${permission}`) : capabilityName} />
      ) : (
        <EmptyState title={t('access.choose')} example={t('access.example')} className="py-2" />
      )}
    </SettingsPage>
  );
}
