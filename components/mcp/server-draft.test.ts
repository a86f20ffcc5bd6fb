import { describe, expect, it } from 'vitest';
import { findProblems, readHeaders, type ServerDraft, toCreateBody, toUpdateBody } from './server-draft.ts';

const draft = (more: Partial<ServerDraft> = {}): ServerDraft => ({
  name: 'weather',
  program: '',
  url: 'https://weather.example/mcp',
  headers: '',
  timeoutSeconds: '180',
  ...more,
});

describe('a server’s draft', () => {
  it('is complete with a name and an address', () => {
    expect(findProblems(draft(), true)).toEqual({});
    expect(findProblems(draft({ name: 'Wetter', url: 'weather', headers: 'no colon', timeoutSeconds: '0' }), true)).toEqual({
      name: 'name',
      url: 'url',
      headers: 'headers',
      timeoutSeconds: 'timeout',
    });
    expect(findProblems(draft({ program: 'files', url: '' }), true)).toEqual({});
  });

  it('reads headers a line each, values with colons as they are', () => {
    expect(readHeaders('Authorization: Bearer a:b\n\n X-Team: red ')).toEqual({ Authorization: 'Bearer a:b', 'X-Team': 'red' });
    expect(readHeaders('Authorization:')).toBeNull();
  });

  it('sends what is needed, and leaves headers alone that were not typed', () => {
    expect(toCreateBody(draft({ program: 'files' }))).toEqual({
      name: 'weather',
      timeoutMs: 180_000,
      reach: { transport: 'stdio', program: 'files' },
    });
    expect(toUpdateBody(draft(), false)).toEqual({ timeoutMs: 180_000, url: 'https://weather.example/mcp' });
    expect(toUpdateBody(draft({ headers: 'A: b' }), false)).toMatchObject({ headers: { A: 'b' } });
    expect(toUpdateBody(draft(), true)).toMatchObject({ headers: {} });
  });
});
