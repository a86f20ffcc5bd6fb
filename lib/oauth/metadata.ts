import type { Json } from '#lib/kernel/index.ts';

/** What programs need to know before they ask (RFC 8414). */
export function authorizationServerMetadata(origin: string): { readonly [name: string]: Json } {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/api/oauth/token`,
    registration_endpoint: `${origin}/api/oauth/clients`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['mcp'],
    service_documentation: `${origin}/docs/api`,
  };
}

/** Which server gives tokens for our MCP endpoint (RFC 9728). */
export function protectedResourceMetadata(origin: string): { readonly [name: string]: Json } {
  return {
    resource: `${origin}/api/mcp`,
    resource_name: 'Bailiwick',
    authorization_servers: [origin],
    bearer_methods_supported: ['header'],
    scopes_supported: ['mcp'],
  };
}
