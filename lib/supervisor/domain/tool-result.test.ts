import { describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { estimateTokens } from '#lib/models/index.ts';
import { RESULT_TOKENS, resultForLog, resultForModel } from './tool-result.ts';

const shown = (text: string) => resultForModel(text, { countTokens: estimateTokens });
/** The note says what was done, in some fifty tokens. */
const NOTE_TOKENS = 70;

describe('resultForModel', () => {
  verifies('H-35', 'leaves what fits as it is, and cuts the rest to its beginning and end', () => {
    expect(shown('12 °C, light rain')).toBe('12 °C, light rain');
    const words = Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(' ');
    const cut = shown(words);
    expect(estimateTokens(cut)).toBeLessThanOrEqual(RESULT_TOKENS + NOTE_TOKENS);
    expect(estimateTokens(cut)).toBeGreaterThan(RESULT_TOKENS * 0.8);
    expect(cut).toMatch(/^word0 word1 /);
    expect(cut).toContain('word9999\n\n[Cut: ');
    expect(shown(words)).toBe(cut);
  });

  verifies('H-35', 'counts tokens and not characters: Chinese, emoji and code are held to the same limit', () => {
    for (const text of [
      '图书馆的开放时间是每天早上八点。'.repeat(2_000),
      '👩‍🚀🎉'.repeat(20_000),
      'const a = { b: [1, 2, 3] };\n'.repeat(5_000),
    ]) {
      const cut = shown(text);
      expect(estimateTokens(cut)).toBeLessThanOrEqual(RESULT_TOKENS + NOTE_TOKENS);
      expect(cut.isWellFormed()).toBe(true);
    }
  });

  verifies('H-35', 'keeps the shape of JSON, with long lists and texts shortened', () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}`, note: 'x'.repeat(300) }));
    const [json = ''] = shown(JSON.stringify({ total: 5_000, rows })).split('\n\n[Cut');
    const core = JSON.parse(json);
    expect(core.total).toBe(5_000);
    expect(core.rows[0]).toMatchObject({ id: 0, name: 'row 0' });
    expect(core.rows.at(-1)).toMatch(/^… \d+ more$/);
  });

  verifies('K8', 'names binaries and never shows them, however long the text around them is', () => {
    const image = 'iVBORw0KGgo'.repeat(140_000);
    for (const text of [
      `a chart: ${image} as asked`,
      `![x](data:image/png;base64,${image}) as asked`,
      JSON.stringify({ image, caption: 'as asked' }),
    ]) {
      const told = shown(text);
      expect(told).toMatch(/\[binary data, \d+ KiB, left out\]/);
      expect(told).toContain('as asked');
      expect(told.length).toBeLessThan(200);
    }
    const started = performance.now();
    expect(estimateTokens(shown('a line of a log\n'.repeat(330_000)))).toBeLessThanOrEqual(RESULT_TOKENS + NOTE_TOKENS);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('resultForLog', () => {
  verifies('K8', 'is bounded, whatever a tool returned', () => {
    const small = { a: 1 };
    expect(resultForLog(small, 1_000)).toBe(small);
    for (const output of [
      { text: 'x'.repeat(5_000_000) },
      { rows: Array.from({ length: 100_000 }, (_, id) => ({ id, note: 'y'.repeat(50) })) },
      Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 'v'.repeat(100)])),
    ]) {
      expect(JSON.stringify(resultForLog(output, 64_000)).length).toBeLessThanOrEqual(64_000);
    }
  });
});
