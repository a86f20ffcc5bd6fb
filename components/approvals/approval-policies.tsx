'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Select } from '#components/ui/input.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import { Section } from '#components/ui/section.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { Cell, Column, Row, Table } from '#components/ui/table.tsx';
import { type ApprovalPolicyView, approvalPolicyView } from '#lib/capabilities/contract.ts';

const MODES = ['never', 'ask', 'forbid'] as const;
const TONES = { read: 'idle', write: 'warn', destructive: 'error' } as const;

/** What is set for each capability; a change holds from the next call on. */
export function ApprovalPolicies({ policies, canManage }: { policies: readonly ApprovalPolicyView[]; canManage: boolean }) {
  const t = useTranslations('approvals.settings');
  const risk = useTranslations('approvals.risk');
  const locale = useLocale();
  const { tenant } = useMe();
  const [shown, setShown] = useState(policies);
  const [saving, setSaving] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const put = (view: ApprovalPolicyView) =>
    setShown((before) => before.map((other) => (other.capabilityId === view.capabilityId ? view : other)));
  const save = async (policy: ApprovalPolicyView, change: Partial<Pick<ApprovalPolicyView, 'mode' | 'needsOther'>>) => {
    const next = { ...policy, ...change };
    setSaving(policy.capabilityId);
    setFailure(null);
    setSaid('');
    put(next);
    try {
      const body = { mode: next.mode, needsOther: next.needsOther };
      put(await requestJson(`/api/t/${tenant.slug}/approval-policies/${policy.capabilityId}`, approvalPolicyView, { method: 'PUT', body }));
      setSaid(t('saved', { title: policy.title[locale] }));
    } catch (thrown) {
      put(policy);
      setFailure(toRequestFailure(thrown));
    } finally {
      setSaving(null);
    }
  };
  return (
    <Section title={t('policies')} intro={canManage ? t('fourEyesWhat') : t('readOnly')}>
      <LiveRegion text={said} />
      {failure ? <FailureNotice failure={failure} className="mb-3" /> : null}
      <Table
        label={t('policies')}
        columns={
          <>
            <Column>{t('capability')}</Column>
            <Column className="max-sm:hidden">{t('risk')}</Column>
            <Column>{t('mode')}</Column>
            <Column>{t('fourEyes')}</Column>
          </>
        }
      >
        {shown.map((policy) => {
          const title = policy.title[locale];
          const isLocked = !canManage || saving === policy.capabilityId;
          return (
            <Row key={policy.capabilityId}>
              <Cell>
                <span className="flex flex-col">
                  {title}
                  <code className="font-mono text-meta break-all text-muted-foreground">{policy.capabilityId}</code>
                </span>
              </Cell>
              <Cell className="max-sm:hidden">
                <StateChip tone={TONES[policy.sideEffect]}>{risk(policy.sideEffect)}</StateChip>
              </Cell>
              <Cell>
                <Select
                  aria-label={t('modeOf', { title })}
                  className="min-w-28"
                  value={policy.mode ?? ''}
                  disabled={isLocked}
                  onChange={(event) => void save(policy, { mode: MODES.find((mode) => mode === event.target.value) ?? null })}
                >
                  <option value="">{t('byRisk')}</option>
                  {MODES.map((mode) => (
                    <option key={mode} value={mode}>
                      {t(mode)}
                    </option>
                  ))}
                </Select>
              </Cell>
              <Cell>
                <label className="touchable flex min-h-8 items-center">
                  <input
                    type="checkbox"
                    aria-label={t('fourEyesOf', { title })}
                    checked={policy.needsOther}
                    disabled={isLocked}
                    onChange={(event) => void save(policy, { needsOther: event.target.checked })}
                    className="size-4 accent-primary"
                  />
                </label>
              </Cell>
            </Row>
          );
        })}
      </Table>
    </Section>
  );
}
