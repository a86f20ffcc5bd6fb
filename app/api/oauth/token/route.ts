import { application } from '#lib/composition/index.ts';
import { methods, oauthRoute } from '#lib/http/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: oauthRoute({
    async handle({ body }) {
      const request = new Map(Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : '']));
      const { accessToken, refreshToken, expiresInSeconds } = await application().exchangeToken(request);
      return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds, refresh_token: refreshToken, scope: 'mcp' };
    },
  }),
});
