import { z } from 'zod';

/** Whether people are asked before a capability is called: never, each time, or it is not called at all; null: by its risk. */
export const approvalMode = z.enum(['never', 'ask', 'forbid']).nullable();

/** What a workspace has set for a capability. */
export const approvalPolicyView = z.object({
  capabilityId: z.string(),
  title: z.object({ en: z.string(), 'zh-CN': z.string() }),
  sideEffect: z.enum(['read', 'write', 'destructive']),
  mode: approvalMode,
  /** Four eyes: whoever asked for the run may not allow its calls. */
  needsOther: z.boolean(),
});
export type ApprovalPolicyView = z.infer<typeof approvalPolicyView>;
export const approvalPolicyPage = z.object({ items: z.array(approvalPolicyView) });

export const setApprovalPolicyBody = z.object({ mode: approvalMode, needsOther: z.boolean() });
export type SetApprovalPolicy = z.infer<typeof setApprovalPolicyBody>;
