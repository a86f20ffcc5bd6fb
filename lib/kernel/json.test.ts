import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './json.ts';

describe('canonicalJson', () => {
  it('gives equal values equal text, whatever the order of their keys', () => {
    expect(canonicalJson({ b: 1, a: { d: [1, { z: 0, y: 0 }], c: null } })).toBe('{"a":{"c":null,"d":[1,{"y":0,"z":0}]},"b":1}');
  });

  it('sorts keys by code unit, not by any language', () => {
    expect(canonicalJson({ ä: 1, z: 2, Z: 3, 学: 4 })).toBe('{"Z":3,"z":2,"ä":1,"学":4}');
  });

  it('leaves keys without a value out, and holds their place in a list', () => {
    expect(canonicalJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });

  it('writes dates as JSON does', () => {
    expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });

  it('reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
