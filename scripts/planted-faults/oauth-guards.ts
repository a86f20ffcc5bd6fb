import type { Guard } from './guard.ts';

const TESTS = ['lib/oauth/programs.integration.test.ts'];
const AUTHORIZE = 'lib/oauth/authorize-client.ts';
const EXCHANGE = 'lib/oauth/exchange-token.ts';

/** Programs that a person lets in: who gets a token, for what, and how often. */
export const OAUTH_GUARDS: readonly Guard[] = [
  {
    id: 'oauth-proof-key',
    guards: 'A code serves only whoever holds the key that it was asked for with.',
    file: EXCHANGE,
    find: "if (!provesChallenge(request.get('code_verifier') ?? '', code.codeChallenge)) throw invalidGrant();",
    replace: '',
    tests: TESTS,
    only: 'another key',
  },
  {
    id: 'oauth-own-code',
    guards: 'A code serves only the program that it was given to.',
    file: EXCHANGE,
    find: 'if (!code || code.clientId !== client.id) throw invalidGrant();',
    replace: 'if (!code) throw invalidGrant();',
    tests: TESTS,
    only: 'another key',
  },
  {
    id: 'oauth-code-twice',
    guards: 'A code that comes twice ends what was given for it.',
    file: EXCHANGE,
    find: 'if (code.apiKeyId) await revoke(deps, { ...code, apiKeyId: code.apiKeyId }, client);',
    replace: '',
    tests: TESTS,
    only: 'presented twice',
  },
  {
    id: 'oauth-refresh-twice',
    guards: 'A refresh token that comes twice ends what it renews.',
    file: EXCHANGE,
    find: 'if (token.isUsed) await revoke(deps, token, client);',
    replace: '',
    tests: TESTS,
    only: 'presented twice',
  },
  {
    id: 'oauth-known-address',
    guards: 'A code is sent to no address that the program has not registered.',
    file: AUTHORIZE,
    find: 'return client && matchesRedirect(client.redirectUris, redirectUri) ? client : null;',
    replace: 'return client;',
    tests: TESTS,
    only: 'known by what it has registered',
  },
  {
    id: 'oauth-person-only',
    guards: 'A key lets no program in.',
    file: AUTHORIZE,
    find: "if (actor.kind !== 'user') throw new AppError({ code: 'invalid_request', message: 'Only a person who is signed in can allow this.' });",
    replace: '',
    tests: TESTS,
    only: 'acts as that person',
  },
  {
    id: 'oauth-own-programs',
    guards: 'A person sees and ends their own programs alone.',
    file: 'db/stores/oauth-store.ts',
    find: '.where(eq(oauthRefresh.userId, userId))',
    replace: '',
    tests: TESTS,
    only: 'nobody else sees it',
  },
  {
    id: 'oauth-revoked-key',
    guards: 'A key that was revoked is not renewed.',
    file: 'db/stores/api-key-store.ts',
    find: '.where(and(eq(apiKey.tenantId, tenantId), eq(apiKey.id, id), isNull(apiKey.revokedAt)))\n        .returning',
    replace: '.where(and(eq(apiKey.tenantId, tenantId), eq(apiKey.id, id)))\n        .returning',
    tests: TESTS,
    only: 'presented twice',
  },
];
