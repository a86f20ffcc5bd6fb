import { describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId } from '#lib/kernel/index.ts';
import { createTokenCalibration } from './token-calibration.ts';
import type { Usage } from './usage.ts';

const spec = { tenantId: newId('tenant'), provider: 'compatible', model: 'm' };
const usage = (input: Partial<Usage>): Usage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
  ...input,
});

describe('createTokenCalibration', () => {
  verifies(['H-10', 'K31'], 'corrects estimates by what a provider reports, cached input counted once', () => {
    const calibration = createTokenCalibration();
    expect(calibration.factorOf(spec)).toBe(1);
    calibration.learn(spec, {
      estimatedTokens: 1_000,
      usage: usage({ inputTokens: 300, cachedInputTokens: 1_000, cacheWriteTokens: 200, outputTokens: 9 }),
    });
    expect(calibration.factorOf(spec)).toBe(1.5);
    calibration.learn(spec, { estimatedTokens: 1_000, usage: usage({ inputTokens: 1_000 }) });
    expect(calibration.factorOf(spec)).toBeCloseTo(1.4);
    expect(calibration.factorOf({ ...spec, model: 'other' })).toBe(1);
    expect(calibration.factorOf({ ...spec, tenantId: newId('tenant') })).toBe(1);
  });

  verifies('H-10', 'learns nothing from our own counts, from tiny prompts, or from nonsense', () => {
    const calibration = createTokenCalibration();
    calibration.learn(spec, { estimatedTokens: 1_000, usage: usage({ inputTokens: 2_000, isEstimated: true }) });
    calibration.learn(spec, { estimatedTokens: 20, usage: usage({ inputTokens: 400 }) });
    expect(calibration.factorOf(spec)).toBe(1);
    calibration.learn(spec, { estimatedTokens: 1_000, usage: usage({ inputTokens: 1_000_000 }) });
    expect(calibration.factorOf(spec)).toBe(3);
  });
});
