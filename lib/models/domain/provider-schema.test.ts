import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import type { JsonObject } from '#lib/kernel/index.ts';
import { toProviderSchema } from './provider-schema.ts';

const AWKWARD: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  oneOf: [{ required: ['name'] }, { required: ['id'] }],
  additionalProperties: false,
  properties: {
    name: { $ref: '#/$defs/name' },
    tree: { $ref: '#/$defs/tree' },
    either: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    maybe: { type: ['string', 'null'] },
    amount: { type: 'number', exclusiveMinimum: 0 },
    flag: { enum: [true, false] },
    kind: { const: 'a' },
    default: { type: 'string', default: 'x', 'x-after': ['from'] },
  },
  $defs: {
    name: { type: 'string', minLength: 1 },
    tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
  },
};

describe('toProviderSchema', () => {
  verifies('K7', 'leaves nothing that a compatible endpoint refuses, and keeps what a model needs to know', () => {
    expect(toProviderSchema('compatible', AWKWARD)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        tree: { type: 'object', properties: { children: { type: 'array', items: {} } } },
        either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        maybe: { type: 'string' },
        amount: { type: 'number' },
        flag: {},
        kind: { enum: ['a'] },
        default: { type: 'string' },
      },
    });
  });

  it('leaves to OpenAI and Anthropic what they know, below a plain object', () => {
    for (const kind of ['openai', 'anthropic'] as const) {
      expect(toProviderSchema(kind, AWKWARD)).toMatchObject({
        type: 'object',
        additionalProperties: false,
        properties: { maybe: { type: ['string', 'null'] }, amount: { exclusiveMinimum: 0 }, flag: { enum: [true, false] } },
      });
      expect(JSON.stringify(toProviderSchema(kind, AWKWARD))).not.toMatch(/\$|"oneOf":\[\{"required/);
    }
  });

  it('gives a schema without properties some, and never follows a reference that leads out', () => {
    expect(toProviderSchema('compatible', { type: 'object' })).toEqual({ type: 'object', properties: {} });
    const out = toProviderSchema('openai', { type: 'object', properties: { a: { $ref: 'https://example.com/x', description: 'd' } } });
    expect(out).toEqual({ type: 'object', properties: { a: { description: 'd' } } });
  });

  it('ends, however often references repeat what they refer to', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `l${level}`,
        { type: 'object', properties: { a: { $ref: `#/$defs/l${level + 1}` }, b: { $ref: `#/$defs/l${level + 1}` } } },
      ]),
    );
    const schema = toProviderSchema('openai', { type: 'object', properties: { a: { $ref: '#/$defs/l0' } }, $defs });
    expect(JSON.stringify(schema).length).toBeLessThan(500_000);
  });
});
