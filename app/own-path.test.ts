import { describe, expect, it } from 'vitest';
import { ownPath } from './own-path.ts';

describe('ownPath', () => {
  it('keeps a path of ours with its query', () => {
    expect(ownPath('/acme/runs?state=FINISH_ERROR')).toBe('/acme/runs?state=FINISH_ERROR');
  });
  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '',
    undefined,
    ['/a', '/b'],
  ])('leads %j to the start page', (address) => {
    expect(ownPath(address)).toBe('/');
  });
});
