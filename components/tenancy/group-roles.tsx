'use client';

import { ArrowDownIcon, ArrowUpIcon, PlusIcon, Trash2Icon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { Input, Select } from '#components/ui/input.tsx';
import { type GroupRolesView, groupRolesView, type RoleView } from '#lib/tenancy/contract.ts';
import { useRoleName } from './use-role-name.ts';

interface GroupRolesProps {
  groupRoles: GroupRolesView['groupRoles'];
  roles: readonly RoleView[];
  canManage: boolean;
}

interface Line {
  /** For React alone: groups are edited, and may be empty meanwhile. */
  readonly key: number;
  readonly group: string;
  readonly roleKey: string;
}

const toLines = (groupRoles: GroupRolesProps['groupRoles']): Line[] =>
  groupRoles.map(({ group, roleKey }, key) => ({ key, group, roleKey }));
const toBody = (lines: readonly Line[]) => lines.map(({ group, roleKey }) => ({ group: group.trim(), roleKey }));

/** Which groups of the sign-in provider have which role, in the order that counts. Nothing holds before it is saved. */
export function GroupRoles({ groupRoles, roles, canManage }: GroupRolesProps) {
  const t = useTranslations('people.signIn.groups');
  const roleName = useRoleName();
  const { tenant, permissions: own } = useMe();
  const { isSending, failure, send } = useSending();
  const [lines, setLines] = useState(() => toLines(groupRoles));
  const [kept, setKept] = useState(() => toLines(groupRoles));
  const [nextKey, setNextKey] = useState(groupRoles.length);
  const [isSaved, setIsSaved] = useState(false);
  const isChanged = JSON.stringify(toBody(lines)) !== JSON.stringify(toBody(kept));
  const isWhole = toBody(lines).every(({ group }) => group !== '');
  const edit = (change: (lines: readonly Line[]) => Line[]) => {
    setIsSaved(false);
    setLines(change);
  };
  const add = () => {
    edit((known) => [...known, { key: nextKey, group: '', roleKey: 'member' }]);
    setNextKey(nextKey + 1);
  };
  const save = () =>
    send(async () => {
      const saved = await requestJson(`/api/t/${tenant.slug}/group-roles`, groupRolesView, {
        method: 'PUT',
        body: { groupRoles: toBody(lines) },
      });
      setLines(toLines(saved.groupRoles));
      setKept(toLines(saved.groupRoles));
      setNextKey(saved.groupRoles.length);
      setIsSaved(true);
    });
  if (!canManage) return <ReadOnly lines={lines} nameOf={(key) => nameOf(roles, key, roleName)} />;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {lines.length === 0 ? <p className="text-ui text-muted-foreground">{t('none')}</p> : null}
      <ol className="flex flex-col gap-2">
        {lines.map((line, index) => {
          const about = { number: index + 1, group: line.group || t('unnamed') };
          return (
            <li key={line.key} className="flex flex-wrap items-center gap-2">
              <Input
                aria-label={t('groupOf', about)}
                placeholder={t('group')}
                className="min-w-0 flex-1 basis-40"
                value={line.group}
                required
                maxLength={256}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => edit((known) => replaced(known, index, { ...line, group: event.target.value }))}
              />
              <Select
                aria-label={t('roleOf', about)}
                className="w-40"
                value={line.roleKey}
                onChange={(event) => edit((known) => replaced(known, index, { ...line, roleKey: event.target.value }))}
              >
                {roles.map((role) => (
                  <option key={role.key} value={role.key} disabled={role.permissions.some((permission) => !own.includes(permission))}>
                    {roleName(role)}
                  </option>
                ))}
              </Select>
              <span className="flex">
                <Button
                  look="quiet"
                  size="square"
                  aria-label={t('up', about)}
                  disabled={index === 0}
                  onClick={() => edit((known) => swapped(known, index, index - 1))}
                >
                  <ArrowUpIcon aria-hidden />
                </Button>
                <Button
                  look="quiet"
                  size="square"
                  aria-label={t('down', about)}
                  disabled={index === lines.length - 1}
                  onClick={() => edit((known) => swapped(known, index, index + 1))}
                >
                  <ArrowDownIcon aria-hidden />
                </Button>
                <Button
                  look="quiet"
                  size="square"
                  aria-label={t('remove', about)}
                  onClick={() => edit((known) => known.filter((other) => other.key !== line.key))}
                >
                  <Trash2Icon aria-hidden />
                </Button>
              </span>
            </li>
          );
        })}
      </ol>
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={add}>
          <PlusIcon aria-hidden />
          {t('add')}
        </Button>
        <Button type="submit" look="primary" disabled={isSending || !isChanged || !isWhole}>
          {isSending ? t('saving') : t('save')}
        </Button>
        <p role="status" className="text-ui text-muted-foreground">
          {isSaved ? t('saved') : ''}
        </p>
      </div>
    </form>
  );
}

function ReadOnly({ lines, nameOf }: { lines: readonly Line[]; nameOf: (roleKey: string) => string }) {
  const t = useTranslations('people.signIn.groups');
  if (lines.length === 0) return <p className="text-ui text-muted-foreground">{t('none')}</p>;
  return (
    <ol className="flex list-decimal flex-col gap-1 ps-5 text-ui">
      {lines.map(({ key, group, roleKey }) => (
        <li key={key}>{t('line', { group, role: nameOf(roleKey) })}</li>
      ))}
    </ol>
  );
}

function nameOf(roles: readonly RoleView[], key: string, roleName: (role: RoleView) => string): string {
  const role = roles.find((candidate) => candidate.key === key);
  return role ? roleName(role) : key;
}

function replaced(lines: readonly Line[], index: number, line: Line): Line[] {
  return lines.map((other, at) => (at === index ? line : other));
}

function swapped(lines: readonly Line[], index: number, other: number): Line[] {
  const [one, two] = [lines[index], lines[other]];
  return one && two ? replaced(replaced(lines, index, two), other, one) : [...lines];
}
