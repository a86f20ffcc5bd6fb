import { application } from '#lib/composition/index.ts';
import { discoveryRoute, methods } from '#lib/http/index.ts';
import { protectedResourceMetadata } from '#lib/oauth/index.ts';

// One resource, whatever path the program puts after the well-known one (RFC 9728 section 3.1).
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: discoveryRoute(() => protectedResourceMetadata(application().config.publicUrl.origin)),
});
