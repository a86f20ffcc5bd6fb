import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanTokens, tokenize } from './tokenizer.ts';

describe('tokenize', () => {
  it.each([
    ['What time is it in Tokyo?', ['time', 'tokyo']],
    ['translations, translating and translated', ['translat', 'translat', 'translat']],
    ['2,340 and 3,4 and 2.5', ['2340', '3', '4', '2.5']],
    ['ＡＢＣ　１２３', ['abc', '123']],
    ['Café Zürich', ['cafe', 'zurich']],
    ['5km', ['5', 'km']],
    ['Wi-Fi e-mail', ['wi', 'wifi', 'fi', 'e', 'email', 'mail']],
    ["Don't the library's doors close?", ['librari', 'door', 'close']],
    ['🎉👩‍👩‍👧', []],
  ])('reads %s', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens);
  });

  it('reads Chinese as single characters and pairs, without the words that carry no topic', () => {
    expect(tokenize('图书馆几点关门？')).toEqual([
      '图',
      '图书',
      '书',
      '书馆',
      '馆',
      '馆几',
      '几',
      '几点',
      '点',
      '点关',
      '关',
      '关门',
      '门',
    ]);
    expect(tokenize('我的奖学金')).toEqual(['奖', '奖学', '学', '学金', '金']);
    expect(tokenize('请问你们是什么')).toEqual([]);
  });

  it('keeps words that contain one that carries none', () => {
    expect(tokenize('目的地')).toContain('目的');
    expect(tokenize('请假')).toContain('请假');
    expect(tokenize('现在')).toContain('现在');
  });

  it('mixes scripts without losing either', () => {
    expect(tokenize('用VPN连校园网')).toEqual(expect.arrayContaining(['vpn', '校园', '园网']));
  });

  it('gives a question and a statement the same tokens for the same words', () => {
    expect(tokenize('食堂营业到几点')).toEqual(expect.arrayContaining(tokenize('食堂营业')));
    expect(tokenize('When does the library close?')).toEqual(tokenize('library close'));
  });

  it('has no token longer than an index takes', () => {
    expect(Math.max(...tokenize(`${'a'.repeat(100_000)} ${'1'.repeat(500)}`).map((token) => token.length))).toBeLessThanOrEqual(64);
  });

  it('is total: any string has tokens, each where it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const token of scanTokens(text)) {
          expect(token.start).toBeLessThan(token.end);
          expect(token.end).toBeLessThanOrEqual(text.length);
        }
        expect(tokenize(text)).toBeInstanceOf(Array);
      }),
    );
  });

  it('takes NUL and lone surrogates for spaces', () => {
    expect(tokenize('a1\u0000b2\ud800c3')).toEqual(['a1', 'b2', 'c3']);
  });

  it('stays linear on long texts', () => {
    const startedAt = performance.now();
    for (const piece of ['奖学金申请', 'hello world ', '1,', "a'", '\ud800', 'x-']) tokenize(piece.repeat(100_000 / piece.length));
    // Six texts of 100,000 characters; quadratic time would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
