import { z } from 'zod';

/** One side effect as the process that counts them saw it. */
export const recordedEffect = z.object({
  label: z.string(),
  kind: z.string(),
  key: z.string(),
  runId: z.string(),
  /** When it was recorded, in milliseconds since 1970. */
  atMs: z.number(),
});
export type RecordedEffect = z.infer<typeof recordedEffect>;
