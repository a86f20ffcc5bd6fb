import { describe, expect, it } from 'vitest';
import { createAjvArgumentValidator } from '#lib/capabilities/adapters/ajv-argument-validator.ts';
import { BUILT_IN_METADATA } from '#lib/capabilities/index.ts';
import { planRequest } from '#lib/supervisor/index.ts';
import { BUILT_IN_ROLE_PERMISSIONS } from '#lib/tenancy/index.ts';
import { CATALOGUE } from '../catalogue.ts';

const everything = [...BUILT_IN_METADATA, ...CATALOGUE.flatMap(({ capabilities }) => capabilities.map(({ metadata }) => metadata))];
const knownIds = new Set(everything.map(({ id }) => id));
const isChinese = (text: string) => /\p{Script=Han}/u.test(text);
const textsOf = (value: unknown): { en: string; 'zh-CN': string }[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { en, 'zh-CN': chinese } = value as { en?: unknown; 'zh-CN'?: unknown };
  if (typeof en === 'string' && typeof chinese === 'string') return [{ en, 'zh-CN': chinese }];
  return Object.values(value).flatMap(textsOf);
};

describe('the catalogue', () => {
  it('has QA_SIM and at least five more', () => {
    expect(CATALOGUE.map(({ id }) => id)).toContain('QA_SIM');
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(6);
  });

  describe.each(CATALOGUE.map((manifest) => [manifest.id, manifest] as const))('%s', (_id, manifest) => {
    it('speaks both languages, each in its own', () => {
      const texts = textsOf(manifest);
      expect(texts.length).toBeGreaterThan(8);
      for (const text of texts) {
        expect(text.en.trim()).not.toBe('');
        expect([text['zh-CN'], isChinese(text['zh-CN'])]).toEqual([text['zh-CN'], true]);
        expect([text.en, isChinese(text.en)]).toEqual([text.en, false]);
      }
      expect(manifest.keywords.some(isChinese) && manifest.keywords.some((word) => !isChinese(word))).toBe(true);
    });

    it('says why it needs each right, and needs no other', () => {
      const used = new Set(manifest.capabilities.flatMap(({ metadata }) => metadata.requiredPermissions));
      const listed = manifest.presets.flatMap(({ capabilityIds = [] }) => capabilityIds);
      for (const id of listed)
        for (const permission of everything.find((metadata) => metadata.id === id)?.requiredPermissions ?? []) used.add(permission);
      expect(new Set(manifest.permissions.map(({ permission }) => permission))).toEqual(used);
    });

    it('lists only capabilities and agents that there are', () => {
      for (const { capabilityIds = [] } of manifest.presets) expect(capabilityIds.filter((id) => !knownIds.has(id))).toEqual([]);
      for (const { tools } of manifest.agents)
        expect(tools === 'all' ? [] : (tools.ids ?? []).filter((id) => !knownIds.has(id) && id !== 'text.statistics')).toEqual([]);
    });

    it('has a schema for each capability that can be compiled, and reads only', () => {
      const validator = createAjvArgumentValidator();
      for (const { metadata } of manifest.capabilities) {
        expect(() => validator.validate(metadata.inputSchema, {})).not.toThrow();
        expect(metadata).toMatchObject({ sideEffect: 'read', idempotency: 'idempotent' });
      }
      const nothing = { type: 'object' } as const;
      expect(validator.validate(manifest.configurationSchema ?? nothing, {})).toEqual({ ok: true });
    });

    it('is used as its examples say: under its preset and among all capabilities there are', () => {
      for (const { metadata } of manifest.capabilities) {
        for (const example of metadata.examples) {
          for (const message of [example.en, example['zh-CN']]) {
            for (const scope of [
              everything,
              ...manifest.presets.map(({ capabilityIds }) => everything.filter(({ id }) => capabilityIds?.includes(id) ?? true)),
            ]) {
              const locale = isChinese(message) ? 'zh-CN' : 'en';
              const { steps } = planRequest({
                message,
                capabilities: scope,
                ontologySummary: '',
                locale,
                now: new Date('2026-11-18T04:00:00Z'),
                timeZone: 'UTC',
              });
              expect([message, steps.map(({ capabilityId }) => capabilityId)]).toEqual([message, [metadata.id]]);
              expect([message, createAjvArgumentValidator().validate(metadata.inputSchema, steps[0]?.arguments ?? {})]).toEqual([
                message,
                { ok: true },
              ]);
            }
          }
        }
      }
    }, 60_000);
  });

  it('can be used by members: no preset needs a right that they lack for all it does', () => {
    const member = new Set<string>(BUILT_IN_ROLE_PERMISSIONS.member);
    for (const { presets } of CATALOGUE)
      for (const { capabilityIds = [] } of presets) {
        const usable = everything.filter(
          ({ id, requiredPermissions }) => capabilityIds.includes(id) && requiredPermissions.every((permission) => member.has(permission)),
        );
        expect(usable.length).toBeGreaterThan(0);
      }
  });
});
