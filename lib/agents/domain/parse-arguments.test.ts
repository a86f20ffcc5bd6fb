import fc from 'fast-check';
import { jsonrepair } from 'jsonrepair';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { parseArguments } from './parse-arguments.ts';

const parse = (text: string) => parseArguments(text, jsonrepair);

describe('parseArguments', () => {
  verifies('P-17', 'reads arguments as models write them: whole, broken, or not at all', () => {
    expect(parse('{"a":1}')).toEqual({ ok: true, arguments: { a: 1 }, isRepaired: false });
    for (const empty of ['', '  ', '\n']) expect(parse(empty)).toEqual({ ok: true, arguments: {}, isRepaired: false });
    for (const broken of ['{"a": 1,', "{'a': 1}", '{a: 1}', '{"a": 1', '```json\n{"a": 1}\n```', '{"a": 1, // one\n}'])
      expect([broken, parse(broken)]).toEqual([broken, { ok: true, arguments: { a: 1 }, isRepaired: true }]);
  });

  it.each(['[1]', 'null', '7', '"text"', 'hello there', '[{"a":1}]', '}{'])('tells the model what to do about %s', (text) => {
    expect(parse(text)).toEqual({ ok: false, message: expect.stringContaining('Write one object') });
  });

  it('reads every object exactly, and answers whatever the text is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(parse(text)).toEqual({ ok: true, arguments: JSON.parse(text), isRepaired: false });
      }),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((text) => text.slice(0, -1)),
        ),
        (text) => {
          const parsed = parse(text);
          expect(parsed.ok ? Object.prototype.toString.call(parsed.arguments) : parsed.message).toMatch(
            /^\[object Object\]$|^The arguments/,
          );
        },
      ),
    );
  });
});
