import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { REDACTION_MARK, redactText, redactValue, withoutPersonalData } from './redact.ts';

const HIDDEN: readonly (readonly [string, string])[] = [
  ['write to li.wei+news@example.co.uk today', 'write to ▇ email today'],
  ['邮箱：张三@例子.公司，谢谢', '邮箱：▇ email，谢谢'],
  ['ｌｉ＠ｅｘａｍｐｌｅ．ｃｏｍ', '▇ email'],
  ['call 13800138000 now', 'call ▇ phone now'],
  ['打 138-0013-8000 或 +86 138 0013 8000', '打 ▇ phone 或 ▇ phone'],
  ['手机１３８００１３８０００。', '手机▇ phone。'],
  ['手机号是13800138000请回电', '手机号是▇ phone请回电'],
  ['座机 010-62345678 转 123', '座机 ▇ phone'],
  ['座机（0571）8765 4321', '座机▇ phone'],
  ['客服 400-820-8820', '客服 ▇ phone'],
  ['ring (415) 555-2671 or +44 20 7946 0958', 'ring ▇ phone or ▇ phone'],
  ['tel 555-26-71', 'tel ▇ phone'],
  ['身份证 11010519491231002X 的人', '身份证 ▇ id number 的人'],
  ['id 110105 19491231 0021 wrong check stays', 'id 110105 19491231 0021 wrong check stays'],
  ['身份证号：110105194912310021', '身份证号：▇ id number'],
  ['old 110105491231002', 'old ▇ id number'],
  ['SSN 078-05-1120', 'SSN ▇ id number'],
  ['护照 E12345678 有效', '护照 ▇ id number 有效'],
  ['学号 20231234567', '学号 ▇ id number'],
  ['HK A123456(3)', 'HK ▇ id number'],
  ['card 4111 1111 1111 1111 ok', 'card ▇ card ok'],
  ['卡号6222021234567890128', '卡号▇ card'],
  ['IBAN DE89 3704 0044 0532 0130 00', 'IBAN ▇ card'],
  ['key sk-proj-abcdefghijklmnop1234', 'key ▇ key'],
  ['AKIAIOSFODNN7EXAMPLE', '▇ key'],
  ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer ▇ key'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_def-ghi', '▇ key'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '▇ key'],
  ['postgres://ada:hunter2@db.example/x', 'postgres://ada:▇ secret@db.example/x'],
  ['my password is hunter22, really', 'my password is ▇ secret, really'],
  ['密码：abc12345。', '密码：▇ secret。'],
  ['api_key=abcdef12345', 'api_key=▇ secret'],
];

const KEPT: readonly string[] = [
  'What is 17% of 2,340?',
  'at 2026-11-30T14:21:53.000Z it took 1764512513000 ms',
  '2026-03-01 to 2026-03-31, 12:30',
  'pi is 3.14159265358979323846',
  'the bill is 1,234,567.89',
  'version 10.4.2.1 on 192.168.0.1',
  'totalTokens: 123456',
  '奖学金申请材料有哪些，晚上食堂营业到几点？',
  '1 GB is 1000000000 bytes',
  'a@b and @mention',
  'password reset',
];

describe('redactText', () => {
  it.each(HIDDEN)('hides what is personal in %s', (text, shown) => expect(redactText(text)).toBe(shown));
  it.each(KEPT)('keeps %s', (text) => expect(redactText(text)).toBe(text));
  it('never takes an id of ours for a number', () => {
    for (const kind of ['run', 'invocation', 'session'] as const) {
      for (let count = 0; count < 500; count += 1) {
        const id = newId(kind);
        expect(redactText(`in ${id}.`)).toBe(`in ${id}.`);
      }
    }
  });
  it('changes nothing when it is done again', () => {
    for (const [text] of HIDDEN) expect(redactText(redactText(text))).toBe(redactText(text));
  });
  it('is done with a hundred kilobytes of anything in a moment', () => {
    for (const text of ['1', 'a', '1 ', 'a@', '- ', 'password is ', '电话', 'eyJ', '://a:'].map((piece) =>
      piece.repeat(100_000 / piece.length),
    )) {
      const startedAt = performance.now();
      redactText(text);
      expect([text.slice(0, 12), performance.now() - startedAt < 1_500]).toEqual([text.slice(0, 12), true]);
    }
  });
});

describe('redactValue', () => {
  it('reaches every depth, names of fields and numbers', () => {
    expect(redactValue({ to: ['li@example.com'], 'li@example.com': { phone: 13800138000, count: 12, at: null, isSent: true } })).toEqual({
      to: ['▇ email'],
      '▇ email': { phone: '▇ phone', count: 12, at: null, isSent: true },
    });
  });
  it('hides fields that are named for secrets whole, and not their likes', () => {
    expect(redactValue({ password: 'x', apiKey: 'y', access_token: 1, 密码: 'z', totalTokens: 5, tokens: 6, secret: null })).toEqual({
      password: '▇ secret',
      apiKey: '▇ secret',
      access_token: '▇ secret',
      密码: '▇ secret',
      totalTokens: 5,
      tokens: 6,
      secret: null,
    });
  });
});

describe('withoutPersonalData', () => {
  it('leaves no mark and no number behind', () => {
    expect(withoutPersonalData('call 13800138000 about rent')).toBe('call   about rent');
    expect(withoutPersonalData('call 13800138000')).not.toContain(REDACTION_MARK);
  });
});
