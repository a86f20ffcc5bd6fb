import { z } from 'zod';

/** The capabilities that the person who asks may use. */
export const capabilityFigures = z.object({
  total: z.number(),
  byDomain: z.array(z.object({ key: z.string(), total: z.number() })),
});
export type CapabilityFigures = z.infer<typeof capabilityFigures>;
