import { z } from 'zod';
import type { Pipeline } from '#lib/graph/index.ts';
import type { ExecutionPlan, PlanStage } from './plan.ts';

/** What the record of a stage holds: its part of the pipeline's state, its report, and the calls it made. */
export const stageRecord = z.object({
  state: z.record(z.string(), z.json()),
  stage: z.object({
    id: z.string(),
    report: z.object({
      summary: z.string(),
      intent: z.enum(['task', 'help', 'clarify', 'unsupported']).optional(),
      confidence: z.number().optional(),
      reasons: z.array(z.string()),
    }),
    calls: z.array(z.object({ capabilityId: z.string(), rationale: z.string() })),
  }),
});
export type StageRecord = z.infer<typeof stageRecord>;

/**
 * The plan of a run that a pipeline answers: what the first stage takes the message to be after, every stage with what came
 * of it so far, and the calls they made. Once it `isOver`, a stage that did not run was passed over.
 */
export function proposePlan(pipeline: Pipeline, done: readonly StageRecord[], { isOver }: { isOver: boolean }): ExecutionPlan {
  const first = done.find(({ stage }) => stage.id === pipeline.stages[0]?.id)?.stage.report;
  const intent = {
    kind: first?.intent ?? ('task' as const),
    confidence: first?.confidence ?? 1,
    rationale: first?.summary ?? '',
  };
  const last = pipeline.stages.findLastIndex(({ id }) => done.some(({ stage }) => stage.id === id));
  const stages = pipeline.stages.map(({ id, title }, index): PlanStage => {
    const record = done.find(({ stage }) => stage.id === id);
    if (record) return toPlanStage(pipeline, record);
    return { id, title, state: isOver || index < last ? 'skipped' : 'waiting', summary: '', confidence: null, reasons: [] };
  });
  const calls = done.flatMap(({ stage }) => stage.calls.map((call) => ({ ...call, clause: stage.id })));
  return {
    intent,
    summary: `${intent.kind} (${intent.confidence.toFixed(2)}): ${intent.rationale} -> ${stages.length} step(s)`,
    steps: calls.map((call) => ({ ...call, arguments: {} })),
    candidates: [],
    stages,
  };
}

export function toPlanStage(pipeline: Pipeline, { stage }: StageRecord): PlanStage {
  const title = pipeline.stages.find(({ id }) => id === stage.id)?.title ?? { en: stage.id, 'zh-CN': stage.id };
  const { summary, confidence = null, reasons } = stage.report;
  return { id: stage.id, title, state: 'done', summary, confidence, reasons };
}
