export { type AskedAuthorization, authorizeClient, readAuthorization } from './authorize-client.ts';
export { isOAuthRefusal, type OAuthErrorCode, OAuthRefusal } from './domain/oauth-refusal.ts';
export { redirectWith } from './domain/redirect-uri.ts';
export { type ExchangeToken, exchangeToken, type IssuedToken, type TokenRequest } from './exchange-token.ts';
export { authorizationServerMetadata, protectedResourceMetadata } from './metadata.ts';
export { endProgram, listPrograms } from './own-programs.ts';
export type { AuthorizationCode, OAuthClient, OAuthStore, OAuthStores, OAuthTenantStores, RefreshToken } from './ports.ts';
export { registerClient } from './register-client.ts';
