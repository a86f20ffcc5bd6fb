import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindingOf, KEY_IDS } from './key-map.ts';

const sources = globSync('components/**/*.{ts,tsx}')
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

describe('the key map', () => {
  it('gives no press two meanings', () => {
    const presses = KEY_IDS.filter((id) => bindingOf(id).isNative !== true).flatMap((id) => bindingOf(id).presses);
    expect(presses.filter((press, place) => presses.indexOf(press) !== place)).toEqual([]);
  });
  it('promises nothing that no component does', () => {
    const users = sources.filter(({ file, text }) => !file.endsWith('key-map.ts') && /useKeys\(|keyId: '/.test(text));
    const isDone = (id: string) => users.some(({ text }) => new RegExp(String.raw`\b${id}(?::|\()|keyId: '${id}'`).test(text));
    expect(KEY_IDS.filter((id) => bindingOf(id).isNative !== true && !isDone(id))).toEqual([]);
  });
  it('is the only way to a key: every other handler would need its own guard against input methods', () => {
    const listeners = sources.filter(({ text }) => /addEventListener\(\s*'key(?:down|up|press)'|onKey(?:Down|Up|Press)=/.test(text));
    expect(listeners.map(({ file }) => file)).toEqual(['components/keyboard/use-keys.ts']);
  });
});
