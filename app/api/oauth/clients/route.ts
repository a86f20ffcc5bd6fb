import { application } from '#lib/composition/index.ts';
import { methods, oauthRoute } from '#lib/http/index.ts';
import { registerClientBody } from '#lib/oauth/contract.ts';
import { OAuthRefusal } from '#lib/oauth/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: oauthRoute({
    status: 201,
    async handle({ body }) {
      const parsed = registerClientBody.safeParse(body);
      if (!parsed.success)
        throw new OAuthRefusal('invalid_client_metadata', parsed.error.issues[0]?.message ?? 'This is no description of a program');
      const { id, name, redirectUris, createdAt } = await application().registerProgram(parsed.data);
      return {
        client_id: id,
        client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
        client_name: name,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      };
    },
  }),
});
