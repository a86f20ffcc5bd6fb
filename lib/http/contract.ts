import { z } from 'zod';

/** What every failed request answers, whatever the route. */
export const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
  traceId: z.string(),
});
export type ErrorBody = z.infer<typeof errorBody>;
