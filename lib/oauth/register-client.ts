import { randomBytes } from 'node:crypto';
import type { Clock } from '#lib/kernel/index.ts';
import type { PlatformUnitOfWork } from '#lib/tenancy/index.ts';
import type { RegisterClient } from './contract.ts';
import { OAuthRefusal } from './domain/oauth-refusal.ts';
import { isUsableRedirect } from './domain/redirect-uri.ts';
import type { OAuthClient, OAuthStores } from './ports.ts';

/** Programs that were never allowed anything are forgotten after this time, and only so many are kept. */
const UNUSED_MS = 24 * 3_600_000;
const MAX_UNUSED = 1_000;

/**
 * A program introduces itself (RFC 7591): anyone's may, since it gets nothing by that. It is public, without a secret. Throws
 * `OAuthRefusal`: `invalid_redirect_uri`, `invalid_client_metadata`, `temporarily_unavailable`.
 */
export const registerClient =
  (deps: { readonly platformUnitOfWork: PlatformUnitOfWork<OAuthStores>; readonly clock: Clock }) =>
  async (body: RegisterClient): Promise<OAuthClient> => {
    const unusable = body.redirect_uris.find((uri) => !isUsableRedirect(uri));
    if (unusable !== undefined)
      throw new OAuthRefusal(
        'invalid_redirect_uri',
        `Answers are sent by https, to a loopback address or to a scheme of your own: ${unusable}`,
      );
    if ((body.token_endpoint_auth_method ?? 'none') !== 'none')
      throw new OAuthRefusal('invalid_client_metadata', 'Programs have no secret here: token_endpoint_auth_method is "none"');
    const now = deps.clock.now();
    const client: OAuthClient = {
      id: `cli_${randomBytes(16).toString('base64url')}`,
      name: body.client_name || new URL(body.redirect_uris[0] ?? '').host || 'A program',
      redirectUris: body.redirect_uris,
      createdAt: now,
    };
    return deps.platformUnitOfWork.within({}, async ({ oauth }) => {
      if ((await oauth.pruneClients(new Date(now.getTime() - UNUSED_MS))) >= MAX_UNUSED)
        throw new OAuthRefusal('temporarily_unavailable', 'Too many programs have introduced themselves: try again tomorrow');
      await oauth.addClient(client);
      return client;
    });
  };
