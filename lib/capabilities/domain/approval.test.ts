import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId } from '#lib/kernel/index.ts';
import { type Approval, type ApprovalPolicy, type ApprovalState, approvalTransitions, ruleOnCall } from './approval.ts';
import { hashArguments } from './invocation.ts';

const args = { to: 'a@example.com', text: 'hi' };

function rule(overrides: Partial<Parameters<typeof ruleOnCall>[0]> & { sideEffect?: 'read' | 'write' | 'destructive' } = {}) {
  const { sideEffect = 'write', ...rest } = overrides;
  return ruleOnCall({
    metadata: { id: 'mail.send', version: '2.0.0', sideEffect },
    args,
    argumentsHash: hashArguments('2.0.0', args),
    policy: null,
    grants: [],
    approval: null,
    hasOutsideContent: false,
    ...rest,
  });
}

const policy = (mode: ApprovalPolicy['mode'], needsOther = false): ApprovalPolicy => ({ capabilityId: 'mail.send', mode, needsOther });

function approval(state: ApprovalState, argumentsHash = hashArguments('2.0.0', args)): Approval {
  return {
    id: newId('approval'),
    runId: newId('run'),
    invocationId: newId('invocation'),
    capabilityId: 'mail.send',
    capabilityVersion: '2.0.0',
    arguments: args,
    argumentsHash,
    risk: 'write',
    reason: 'policy',
    needsOther: false,
    state,
    decidedBy: 'Li',
    note: null,
  };
}

describe('an approval', () => {
  verifies('H-13', 'is decided once: no state but the open one leads anywhere', () => {
    for (const from of approvalTransitions.states) {
      const to = approvalTransitions.states.filter((state) => approvalTransitions.can(from, state));
      expect([from, to]).toEqual([from, from === 'OPEN' ? ['APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN'] : []]);
    }
  });
});

describe('ruleOnCall', () => {
  verifies('H-13', 'asks by risk, and by what the run has read', () => {
    const kinds = (['read', 'write', 'destructive'] as const).map((sideEffect) =>
      [false, true].map((hasOutsideContent) => rule({ sideEffect, hasOutsideContent })),
    );
    expect(kinds).toMatchObject([
      [{ kind: 'run' }, { kind: 'run' }],
      [{ kind: 'run' }, { kind: 'ask', reason: 'outside-content' }],
      [
        { kind: 'ask', reason: 'destructive' },
        { kind: 'ask', reason: 'destructive' },
      ],
    ]);
  });

  it('puts what the tenant has set before the risk', () => {
    expect(rule({ policy: policy('never'), sideEffect: 'destructive', hasOutsideContent: true })).toMatchObject({ kind: 'run' });
    expect(rule({ policy: policy('ask'), sideEffect: 'read' })).toMatchObject({ kind: 'ask', reason: 'policy' });
    expect(rule({ policy: policy(null, true) })).toMatchObject({ kind: 'ask', needsOther: true });
    expect(rule({ policy: policy('forbid'), sideEffect: 'read', approval: approval('APPROVED') })).toEqual({ kind: 'forbidden' });
  });

  it('takes a decision for what it was made for, and no other', () => {
    expect(rule({ policy: policy('ask'), approval: approval('APPROVED') })).toEqual({ kind: 'run', because: 'allowed by Li' });
    expect(rule({ policy: policy('ask'), approval: approval('APPROVED', 'of other arguments') })).toMatchObject({ kind: 'ask' });
    expect(rule({ policy: policy('ask'), approval: approval('OPEN') })).toMatchObject({ kind: 'ask' });
    for (const state of ['DENIED', 'EXPIRED', 'WITHDRAWN'] as const) {
      // Whatever is set meanwhile: somebody has said no.
      expect(rule({ policy: policy('never'), approval: approval(state) })).toMatchObject({ kind: 'refused' });
    }
  });

  it('honours what was allowed for the session: this version, these arguments, nothing that cannot be undone', () => {
    const grant = { id: newId('approvalGrant'), capabilityVersion: '2.0.0', sameArguments: { to: 'a@example.com' } };
    const asked = { policy: policy('ask') } as const;
    expect(rule({ ...asked, grants: [grant] })).toEqual({ kind: 'run', because: 'allowed for this session' });
    expect(rule({ ...asked, grants: [{ ...grant, sameArguments: {} }] })).toMatchObject({ kind: 'run' });
    expect(rule({ ...asked, grants: [{ ...grant, sameArguments: { to: 'b@example.com' } }] })).toMatchObject({ kind: 'ask' });
    expect(rule({ ...asked, grants: [{ ...grant, sameArguments: { constructor: 'x' } }] })).toMatchObject({ kind: 'ask' });
    expect(rule({ ...asked, grants: [{ ...grant, capabilityVersion: '1.0.0' }] })).toMatchObject({ kind: 'ask' });
    expect(rule({ sideEffect: 'destructive', grants: [grant] })).toMatchObject({ kind: 'ask' });
    expect(rule({ policy: policy('ask', true), grants: [grant] })).toMatchObject({ kind: 'ask' });
  });
});
