'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useCapabilityTitle } from '#components/capabilities/capability-titles.tsx';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import { Time } from '#components/ui/time.tsx';
import { type ApprovalView, approvalView } from '#lib/supervisor/contract.ts';
import { ArgumentFields, ArgumentList, type EditedArguments, readArguments, startEditing } from './argument-fields.tsx';
import { DecidedApproval } from './decided-approval.tsx';
import { DenyForm } from './deny-form.tsx';
import { announceInbox } from './inbox-news.ts';
import { LateNotice, lateDecisionOf } from './late-notice.tsx';
import { SessionConsent } from './session-consent.tsx';

interface ApprovalCardProps {
  approval: ApprovalView;
  /** Where the card stands outside its chat: what it belongs to. */
  place?: ReactNode;
  onDecided?: (approval: ApprovalView) => void;
}

type Mode = 'look' | 'edit' | 'session' | 'deny';

/**
 * A call that waits for its reader's decision: what, where, for whom, with which arguments and what it may do. The keys are
 * the card's own, and only while it has the focus.
 */
export function ApprovalCard({ approval: asked, place, onDecided }: ApprovalCardProps) {
  const [decided, setDecided] = useState<ApprovalView | null>(null);
  const approval = asked.state === 'OPEN' ? (decided ?? asked) : asked;
  if (approval.state !== 'OPEN') return <DecidedApproval approval={approval} place={place} />;
  return (
    <OpenApproval
      approval={approval}
      place={place}
      onDecided={(answer) => {
        setDecided(answer);
        announceInbox();
        onDecided?.(answer);
      }}
    />
  );
}

function OpenApproval({ approval, place, onDecided }: ApprovalCardProps & { onDecided: (approval: ApprovalView) => void }) {
  const t = useTranslations('approvals');
  const titleOf = useCapabilityTitle();
  const { user, tenant, permissions } = useMe();
  const [hasFocus, setHasFocus] = useState(false);
  const [mode, setMode] = useState<Mode>('look');
  const [edited, setEdited] = useState<EditedArguments>(() => startEditing(approval.arguments));
  const { isSending, failure, send } = useSending();
  const isOwn = approval.requestedBy.userId === user.id;
  const mayDecide = isOwn ? !approval.needsOther : permissions.includes('approval:decide');
  const title = titleOf(approval.capabilityId) ?? approval.capabilityId;
  const changed = mode === 'edit' ? readArguments(edited) : null;
  const decide = (body: Record<string, unknown>) =>
    send(async () => {
      const path = `/api/t/${tenant.slug}/approvals/${approval.id}`;
      onDecided(await requestJson(path, approvalView, { method: 'POST', body }));
    });
  const allow = () => {
    if (mode === 'edit' && changed === null) return;
    void decide({ decision: 'allow', ...(changed && { arguments: changed }) });
  };
  const isOurs = hasFocus && mayDecide && !isSending;
  // Only while the card has the focus, and never a bare Enter.
  useKeys({ allow: isOurs && mode !== 'deny' ? allow : null, deny: isOurs ? () => void decide({ decision: 'deny' }) : null });
  const late = failure ? lateDecisionOf(failure) : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would disable what is inside it, and cannot have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="group"
      aria-label={t('label', { title })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
      className="flex flex-col gap-3 rounded-card border border-waiting bg-card p-4"
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <p className="flex min-w-0 flex-1 items-start gap-2 text-chat font-medium">
          <StateGlyph tone="waiting" className="mt-1.5" />
          <span className="min-w-0">
            {t('question', { title })} <code className="font-mono text-meta text-muted-foreground">{approval.capabilityId}</code>
          </span>
        </p>
        <StateChip tone={approval.risk === 'destructive' ? 'error' : approval.risk === 'write' ? 'warn' : 'idle'}>
          {t(`risk.${approval.risk}`)}
        </StateChip>
      </div>
      <div className="flex flex-col gap-0.5 text-ui text-muted-foreground">
        <p>{t(`reason.${approval.reason}`)}</p>
        <p>
          {t('askedBy', { name: isOwn ? t('you') : approval.requestedBy.name, tenant: tenant.name })}
          {place ? <> · {place}</> : null} · {t('until')} <Time at={approval.expiresAt} />
        </p>
      </div>
      {mode === 'edit' ? (
        <ArgumentFields edited={edited} isDisabled={isSending} onChange={setEdited} />
      ) : (
        <ArgumentList values={approval.arguments} />
      )}
      {failure && !late ? <FailureNotice failure={failure} /> : null}
      {late ? <LateNotice late={late} /> : null}
      {late || !mayDecide ? (
        late ? null : (
          <p className="text-ui text-muted-foreground">{t(approval.needsOther ? 'needsOther' : 'notYours')}</p>
        )
      ) : mode === 'deny' ? (
        <DenyForm
          isSending={isSending}
          onDeny={(note) => void decide({ decision: 'deny', ...(note !== '' && { note }) })}
          onBack={() => setMode('look')}
        />
      ) : mode === 'session' ? (
        <SessionConsent
          values={approval.arguments}
          isSending={isSending}
          onAllow={(sameArguments) => void decide({ decision: 'allow', extent: 'session', sameArguments })}
          onBack={() => setMode('look')}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-2 max-sm:[&>button]:flex-1">
          <Button
            look="primary"
            onClick={allow}
            disabled={isSending || (mode === 'edit' && changed === null)}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {isSending ? t('sending') : t(mode === 'edit' ? 'allowEdited' : 'allowOnce')}
          </Button>
          {mode === 'look' && approval.risk !== 'destructive' && !approval.needsOther ? (
            <Button onClick={() => setMode('session')} disabled={isSending}>
              {t('allowSession')}
            </Button>
          ) : null}
          <Button
            onClick={() => setMode(mode === 'edit' ? 'look' : 'edit')}
            disabled={isSending || Object.keys(approval.arguments).length === 0}
          >
            {t(mode === 'edit' ? 'keepAsAsked' : 'edit')}
          </Button>
          <Button onClick={() => setMode('deny')} disabled={isSending} aria-keyshortcuts="Control+Shift+Backspace Meta+Shift+Backspace">
            {t('deny')}
          </Button>
        </div>
      )}
    </div>
  );
}
