import { beforeAll, describe, expect, it } from 'vitest';
import { estimateTokens, type TokenCounter } from '../domain/estimate-tokens.ts';
import { createGptTokenizerCounters } from './gpt-tokenizer-counter.ts';

const SAMPLES = {
  English: 'The library is open from eight in the morning until ten at night; bring your card. Who may borrow more than five books?',
  Chinese: '奖学金申请材料有哪些，晚上食堂营业到几点？图书馆的开放时间是早上八点到晚上十点。',
  Japanese: '東京タワーへ行く予定です。明日の天気は晴れでしょうか。インターネットで調べてください。',
  Korean: '안녕하세요. 오늘 날씨가 어떻습니까? 도서관은 몇 시까지 열려 있나요?',
  emoji: '🎉👍🏽🤦🏼‍♂️👨‍👩‍👧‍👦🏳️‍🌈😀😃🫠🦄🇨🇳🇺🇸',
  code: 'export function sum(values: readonly number[]): number {\n  return values.reduce((total, value) => total + value, 0);\n}\n',
  JSON: JSON.stringify({ id: 'run_019ab0c2-7f3e-7000-8000-0123456789ab', at: '2026-11-30T18:07:16.123Z', list: [1, 2, { n: null }] }),
  'indented JSON': JSON.stringify({ a: [1, 2, 3], b: { c: 'text', d: null, list: [{ n: 1 }, { n: 2 }] } }, null, 2),
  base64: Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919) % 256)).toString('base64'),
  Russian: 'Привет, как дела? Библиотека открыта с восьми утра до десяти вечера.',
  Arabic: 'مرحبا كيف حالك؟ المكتبة مفتوحة من الثامنة صباحا حتى العاشرة مساء.',
  Thai: 'สวัสดีครับ ห้องสมุดเปิดตั้งแต่แปดโมงเช้าถึงสี่ทุ่ม',
};

const counters = createGptTokenizerCounters();
let exact: TokenCounter;

beforeAll(async () => {
  const found = await counters.exact({ provider: 'openai', model: 'gpt-5-mini' });
  if (!found) throw new Error('there is no tokenizer');
  exact = found;
});

describe('createGptTokenizerCounters', () => {
  it.each(Object.entries(SAMPLES))('shows the estimate of %s to be near the count', (_, sample) => {
    const text = sample.repeat(3);
    expect(estimateTokens(text) / exact(text)).toBeGreaterThan(0.75);
    expect(estimateTokens(text) / exact(text)).toBeLessThan(2);
  });

  it('counts what looks like a special token as text', () => {
    expect(exact('<|endoftext|>')).toBeGreaterThan(3);
  });

  it('counts unbroken runs in a time that grows with their length alone', () => {
    const started = performance.now();
    expect(exact('a'.repeat(200_000))).toBeGreaterThan(10_000);
    expect(exact('字'.repeat(100_000))).toBeGreaterThan(50_000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('has older vocabularies, and none for models whose vocabulary is not public', async () => {
    const old = await counters.exact({ provider: 'openai', model: 'gpt-3.5-turbo' });
    expect(old?.(SAMPLES.Chinese)).toBeGreaterThan(exact(SAMPLES.Chinese));
    expect(await counters.exact({ provider: 'anthropic', model: 'claude-sonnet-4-5' })).toBeNull();
    expect(await counters.exact({ provider: 'compatible', model: 'qwen3' })).toBeNull();
  });
});
