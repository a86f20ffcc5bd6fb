import { unknownRoute } from '#lib/http/index.ts';

export { unknownRoute as DELETE, unknownRoute as GET, unknownRoute as PATCH, unknownRoute as POST, unknownRoute as PUT };
