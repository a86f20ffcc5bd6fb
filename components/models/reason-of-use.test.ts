import { describe, expect, it } from 'vitest';
import { PROVIDER } from '#components/testing/a-provider.ts';
import type { ModelsView } from '#lib/models/contract.ts';
import { reasonOfUse } from './reason-of-use.ts';

const on = { isEnabled: true, fallsBack: true, fallbacks: [] };
const inUse = (source: 'workspace' | 'environment'): ModelsView['inUse'] => ({ source, kind: 'openai', model: 'm' });

describe('reasonOfUse', () => {
  it('names the policy before anything else', () =>
    expect(reasonOfUse({ policy: { ...on, isEnabled: false }, providers: [PROVIDER], inUse: null })).toEqual({ key: 'off' }));
  it('names the default provider', () =>
    expect(
      reasonOfUse({ policy: on, providers: [{ ...PROVIDER, isDefault: false, name: 'Other' }, PROVIDER], inUse: inUse('workspace') }),
    ).toEqual({
      key: 'workspace',
      name: 'Team key',
    }));
  it('names the operator', () =>
    expect(reasonOfUse({ policy: on, providers: [], inUse: inUse('environment') })).toEqual({ key: 'environment' }));
  it('tells providers without a default from no providers', () => {
    expect(reasonOfUse({ policy: on, providers: [{ ...PROVIDER, isDefault: false }], inUse: null })).toEqual({ key: 'noDefault' });
    expect(reasonOfUse({ policy: on, providers: [], inUse: null })).toEqual({ key: 'nothing' });
  });
});
