import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenizeCode } from './code-tokens.ts';

/** Code with its kinds in brackets: `[keyword const] x`. */
const told = (text: string, language: string) =>
  tokenizeCode(text, language)
    .map((token) => (token.kind === null ? token.text : `[${token.kind} ${token.text}]`))
    .join('');

describe('tokenizeCode', () => {
  it('tells comments, texts, numbers and words of the language apart', () => {
    expect(told('const a = "x // y"; // done\nlet b = 0x1F;', 'ts')).toBe(
      '[keyword const] a = [string "x // y"]; [comment // done]\n[keyword let] b = [number 0x1F];',
    );
    expect(told("def f(x):\n  '''two\nlines'''\n  return None # end", 'python')).toBe(
      "[keyword def] f(x):\n  [string '''two\nlines''']\n  [keyword return] [keyword None] [comment # end]",
    );
    expect(told("SELECT name FROM t -- all\nwhere a = 'it''s' and b2 > 3", 'sql')).toBe(
      "[keyword SELECT] name [keyword FROM] t [comment -- all]\n[keyword where] a = [string 'it''s'] [keyword and] b2 > [number 3]",
    );
    expect(told('echo "$HOME" # home\na#b', 'bash')).toBe('[keyword echo] [string "$HOME"] [comment # home]\na#b');
    expect(told('{"a": [1.5, true]}', 'json')).toBe('{[string "a"]: [[number 1.5], [keyword true]]}');
  });

  it('leaves languages it does not know, names of objects and long texts as they are', () => {
    expect(told('if x then y', 'cobol')).toBe('if x then y');
    expect(told('constructor __proto__', 'js')).toBe('constructor __proto__');
    expect(tokenizeCode('1 '.repeat(20_000), 'js')).toHaveLength(1);
  });

  it('changes no text, however broken, and is done soon', () => {
    const language = fc.constantFrom('ts', 'go', 'python', 'bash', 'sql', 'yaml', 'json', 'html', 'unknown');
    const code = fc.string({
      unit: fc.constantFrom('"', "'", '`', '\\', '/', '*', '#', '-', '\n', ' ', 'a', '1', '<', '!'),
      maxLength: 300,
    });
    fc.assert(
      fc.property(code, language, (text, name) => {
        expect(
          tokenizeCode(text, name)
            .map((token) => token.text)
            .join(''),
        ).toBe(text);
      }),
    );
    for (const text of ['"'.repeat(19_999), '/*'.repeat(9_999), "'''".repeat(6_000), '\\'.repeat(19_999)])
      for (const name of ['ts', 'python', 'sql', 'html']) expect(tokenizeCode(text, name).length).toBeGreaterThan(0);
  });
});
