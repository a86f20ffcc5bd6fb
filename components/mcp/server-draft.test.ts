import { describe, expect, it } from 'vitest';
import { findProblems, readHeaders, type ServerDraft, toCreateBody, toUpdateBody } from './server-draft.ts';

const draft = (more: Partial<ServerDraft> = {}): ServerDraft => ({
  name: 'weather',
  program: '',
  url: 'https://weather.example/mcp',
  headers: '',
  isSignIn: false,
  clientId: '',
  clientSecret: '',
  scope: '',
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
    expect(toUpdateBody(draft(), false, null)).toEqual({ timeoutMs: 180_000, url: 'https://weather.example/mcp' });
    expect(toUpdateBody(draft({ headers: 'A: b' }), false, null)).toMatchObject({ headers: { A: 'b' } });
    expect(toUpdateBody(draft(), true, null)).toMatchObject({ headers: {} });
  });

  it('leaves a sign-in alone that was not changed, since a change forgets every account', () => {
    const signedIn = draft({ isSignIn: true, scope: 'read' });
    expect(toCreateBody(signedIn)).toMatchObject({ signIn: { clientId: null, clientSecret: null, scope: 'read' } });
    expect(toUpdateBody(signedIn, false, { scope: 'read' })).not.toHaveProperty('signIn');
    expect(toUpdateBody(signedIn, false, { scope: '' })).toMatchObject({ signIn: { scope: 'read' } });
    expect(toUpdateBody(draft(), false, { scope: '' })).toMatchObject({ signIn: null });
    expect(findProblems(draft({ isSignIn: true, clientSecret: 's' }), true)).toEqual({ clientId: 'client' });
  });
});
