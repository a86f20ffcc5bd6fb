import { z } from 'zod';

/** `ExecutionPlan` as it is read back from its record. */
export const executionPlan = z.object({
  intent: z.object({
    kind: z.enum(['task', 'greeting', 'help', 'clarify', 'unsupported', 'empty']),
    confidence: z.number(),
    rationale: z.string(),
  }),
  steps: z.array(
    z.object({ capabilityId: z.string(), rationale: z.string(), arguments: z.record(z.string(), z.json()), clause: z.string() }),
  ),
  candidates: z.array(z.object({ capabilityId: z.string(), score: z.number(), reasons: z.array(z.string()) })),
  summary: z.string(),
  missing: z.array(z.object({ capabilityId: z.string(), argument: z.string(), clause: z.string() })).optional(),
  unanswered: z.array(z.string()).optional(),
  stages: z
    .array(
      z.object({
        id: z.string(),
        title: z.object({ en: z.string(), 'zh-CN': z.string() }),
        state: z.enum(['waiting', 'done', 'skipped']),
        summary: z.string(),
        confidence: z.number().nullable(),
        reasons: z.array(z.string()),
      }),
    )
    .optional(),
});
