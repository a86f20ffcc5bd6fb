import type { Metadata } from 'next';
import Form from 'next/form';
import { getTranslations } from 'next-intl/server';
import { AccountList } from '#components/operator/account-list.tsx';
import { OperatorsOnly } from '#components/operator/operators-only.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { accountOrSignIn, loadAccounts } from '../operator-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('operator.sections');
  return { title: t('accounts') };
}

const STATES = ['open', 'closed'] as const;
const PATH = '/operator/accounts';

interface OperatorAccountsPageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

const textOf = (value: string | string[] | undefined) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Every account of the deployment, to be closed or opened again. What it is narrowed to stands in the address. */
export default async function OperatorAccountsPage({ searchParams }: OperatorAccountsPageProps) {
  const [search, t, own] = await Promise.all([searchParams, getTranslations('operator'), accountOrSignIn(PATH)]);
  const query = { q: textOf(search.q), state: STATES.find((known) => known === search.state), cursor: textOf(search.cursor) };
  const page = await loadAccounts(query);
  if (!page) return <OperatorsOnly />;
  return (
    <SettingsPage title={t('sections.accounts')} intro={t('accounts.lead')} isWide>
      <Form action={PATH} role="search" aria-label={t('accounts.search')} className="flex flex-wrap items-end gap-3">
        <Field label={t('accounts.text')} className="min-w-48 flex-1 sm:max-w-80">
          {(control) => <Input {...control} type="search" name="q" maxLength={200} defaultValue={query.q ?? ''} />}
        </Field>
        <Field label={t('accounts.state')}>
          {(control) => (
            <Select {...control} name="state" defaultValue={query.state ?? ''}>
              <option value="">{t('accounts.any')}</option>
              {STATES.map((state) => (
                <option key={state} value={state}>
                  {t(`accounts.${state}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button type="submit">{t('accounts.find')}</Button>
      </Form>
      <AccountList page={page} filters={query} ownUserId={own.userId} />
    </SettingsPage>
  );
}
