import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_METADATA } from '../builtin/built-in-capabilities.ts';
import { discoverCapabilities } from './discover-capabilities.ts';

function discover(text: string, limit = 3) {
  return discoverCapabilities({ text, capabilities: BUILT_IN_METADATA, limit });
}

describe('discoverCapabilities', () => {
  it.each([
    ['what is the current time', 'time.now'],
    ['换算单位', 'units.convert'],
    ['count the words', 'text.statistics'],
    ['记住这件事', 'memory.remember'],
    ['what do you remember about me', 'memory.recall'],
    ['查一下手册', 'knowledge.search'],
  ])('puts the right one first for: %s', (text, capabilityId) => {
    expect(discover(text)[0]?.capabilityId).toBe(capabilityId);
  });

  it('says why, in the language asked for', () => {
    expect(discover('please convert this')[0]?.reasons).toContain('keyword "convert"');
    const [first] = discoverCapabilities({ text: '单位换算', capabilities: BUILT_IN_METADATA, limit: 1, locale: 'zh-CN' });
    expect(first?.reasons[0]).toContain('关键词“');
  });

  it('forgives a slip of the keyboard', () => {
    expect(discover('rememebr this please')[0]?.capabilityId).toBe('memory.remember');
    expect(discover('convrt this')[0]?.capabilityId).toBe('units.convert');
  });

  it('has none for a request that shares no word with the catalogue, and none from an empty one', () => {
    expect(discover('purple elephants dance')).toEqual([]);
    expect(discoverCapabilities({ text: 'what time is it', capabilities: [], limit: 3 })).toEqual([]);
  });

  it('keeps to the limit', () => {
    expect(discover('time words documents remember convert calculate', 2)).toHaveLength(2);
    expect(discover('time', 0)).toEqual([]);
  });

  it('scores between 0 and 1, best first, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('time time words', '几点几点计算', 'convert remember forget')),
        (text) => {
          const scores = discover(text, 20).map((candidate) => candidate.score);
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
          for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
        },
      ),
    );
  });
});
