import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/kernel/index.ts';
import type { ObjectSchema } from '../domain/capability.ts';
import { createAjvArgumentValidator } from './ajv-argument-validator.ts';

const validator = createAjvArgumentValidator();

function schemaOf(rest: JsonObject): ObjectSchema {
  return { ...rest, type: 'object' };
}

describe('createAjvArgumentValidator', () => {
  it('accepts what the schema allows, annotations of ours included', () => {
    const schema = schemaOf({
      properties: { text: { type: 'string', 'x-source': 'text' } },
      required: ['text'],
      additionalProperties: false,
    });
    expect(validator.validate(schema, { text: 'hello' })).toEqual({ ok: true });
  });

  it('reads draft 7 where a schema says so, and ignores a dialect that it does not know', () => {
    const tuple = { properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } } };
    const old = schemaOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple });
    expect(validator.validate(old, { pair: ['a', 1] })).toEqual({ ok: true });
    expect(validator.validate(old, { pair: ['a', 'b'] })).toMatchObject({ ok: false, problems: [{ path: 'pair.1' }] });
    expect(validator.findSchemaFault(old)).toBeNull();
    const strange = schemaOf({ $schema: 'https://example.com/dialect', properties: { a: { type: 'string' } } });
    expect(validator.validate(strange, { a: 1 })).toMatchObject({ ok: false, problems: [{ path: 'a', message: 'must be string' }] });
    expect(validator.findSchemaFault(schemaOf({ properties: { a: { type: 'strin' } } }))).toContain(
      'must be equal to one of the allowed values',
    );
  });

  it('names the argument that is wrong', () => {
    const schema = schemaOf({
      properties: { amount: { type: 'number', exclusiveMinimum: 0 } },
      required: ['amount'],
      additionalProperties: false,
    });
    expect(validator.validate(schema, { amount: 0 })).toEqual({ ok: false, problems: [{ path: 'amount', message: 'must be > 0' }] });
    expect(validator.validate(schema, { amount: 1, note: 'x' })).toEqual({
      ok: false,
      problems: [{ path: '', message: 'must NOT have additional properties: note' }],
    });
  });

  it('follows references within the schema, also recursive ones, type lists and alternatives', () => {
    const schema = schemaOf({
      $defs: {
        tree: {
          type: 'object',
          properties: { name: { type: ['string', 'null'] }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
        },
      },
      properties: { root: { $ref: '#/$defs/tree' }, to: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } },
    });
    expect(validator.validate(schema, { root: { name: null, children: [{ name: 'leaf' }] }, to: ['a', 'b'] })).toEqual({ ok: true });
    expect(validator.validate(schema, { root: { children: [{ name: 5 }] } })).toMatchObject({
      ok: false,
      problems: [{ path: 'root.children.0.name' }],
    });
  });

  it('allows any object where the schema lists no properties', () => {
    expect(validator.validate(schemaOf({}), { anything: [1, 2] })).toEqual({ ok: true });
  });

  it('never fetches a remote reference, and refuses the call instead', () => {
    const schema = schemaOf({ properties: { x: { $ref: 'https://example.com/x' } } });
    expect(validator.validate(schema, { x: 1 })).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('cannot be checked') }],
    });
  });

  it('refuses calls of a schema that is none', () => {
    expect(validator.validate(schemaOf({ properties: { x: { type: 'strnig' } } }), { x: 1 })).toMatchObject({ ok: false });
    expect(validator.validate(schemaOf({ properties: { x: { type: 'string', pattern: '(' } } }), { x: 'y' })).toMatchObject({ ok: false });
  });

  it('keeps two schemas with one $id apart', () => {
    const first = schemaOf({ $id: 'https://example.com/tool', properties: { x: { type: 'string' } } });
    const second = schemaOf({ $id: 'https://example.com/tool', properties: { x: { type: 'number' } } });
    expect(validator.validate(first, { x: 'text' })).toEqual({ ok: true });
    expect(validator.validate(second, { x: 1 })).toEqual({ ok: true });
    expect(validator.validate(second, { x: 'text' })).toMatchObject({ ok: false });
  });

  it('stops a pattern that runs away', () => {
    const schema = schemaOf({
      properties: { x: { type: 'string', pattern: '^(a+)+$' }, y: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' } },
    });
    expect(validator.validate(schema, { x: `${'a'.repeat(60)}!` })).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('cannot be checked') }],
    });
    expect(validator.validate(schema, { x: 'aaa', y: 'kebab-case' })).toEqual({ ok: true });
    expect(validator.validate(schema, { y: 'Kebab' })).toMatchObject({ ok: false, problems: [{ path: 'y' }] });
  });

  it('tells at most ten problems', () => {
    const names = Array.from({ length: 30 }, (_, index) => `a${index}`);
    const verdict = validator.validate(schemaOf({ required: names }), {});
    expect(verdict.ok ? [] : verdict.problems).toHaveLength(10);
  });
});
