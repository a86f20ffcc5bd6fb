import { application } from '#lib/composition/index.ts';
import { discoveryRoute, methods } from '#lib/http/index.ts';
import { authorizationServerMetadata } from '#lib/oauth/index.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: discoveryRoute(() => authorizationServerMetadata(application().config.publicUrl.origin)),
});
