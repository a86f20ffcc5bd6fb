import { z } from 'zod';
import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import { CATALOGUE, type PluginHost } from '#lib/plugins/index.ts';
import { BUILT_IN_ROLE_PERMISSIONS } from '#lib/tenancy/index.ts';
import { benchPipeline } from '#lib/testing/pipeline-bench.ts';
import { figuresOf } from '#lib/testing/recorded-workspace.ts';
import labelledSetJson from './labelled-set.json' with { type: 'json' };
import { ASKED_AT, TIME_ZONE, WORKSPACE } from './workspace.ts';

const labelledSet = z.array(
  z.object({
    id: z.string(),
    /** The reading was tuned on `tuning`; `held-out` was written before that and not looked at. */
    half: z.enum(['tuning', 'held-out']),
    text: z.string(),
    kind: z.enum(['task', 'help', 'clarify', 'unsupported']),
    /** For each thing asked: the figure; of a ranking the first; of a breakdown the sum; `refused`. */
    figures: z.array(z.union([z.number(), z.string()])),
    /** Who asks; Ada, the owner, if absent. */
    as: z.enum(['Ada', 'Bo']).optional(),
  }),
);

export const LABELLED_SET = labelledSet.parse(labelledSetJson);
export type LabelledQuestion = (typeof LABELLED_SET)[number];

const question = z.object({ question: z.object({ kind: z.string(), confidence: z.number() }) });
const findings = z.object({
  findings: z.array(
    z.object({
      status: z.enum(['figure', 'parts', 'nothing', 'refused']),
      value: z.number().nullable(),
      parts: z.array(z.object({ name: z.string(), value: z.number() })),
      ask: z.object({ measure: z.string() }),
    }),
  ),
});

export interface Verdict {
  readonly question: LabelledQuestion;
  readonly kind: string;
  readonly figures: readonly (number | string | null)[];
  readonly answer: string;
  readonly isRight: boolean;
}

/** Twelve of whatever: capabilities are counted, not called. */
const TWELVE = Array.from({ length: 12 }, (_, index) => ({ id: `c${index}`, domain: index < 5 ? 'math' : 'time' }) as CapabilityMetadata);

/** Puts every question of the labelled set to the pipeline of QA_SIM, over the workspace of `workspace.ts`, and compares. */
export async function judgeAnswers(workspace = WORKSPACE): Promise<Verdict[]> {
  const plugin = CATALOGUE.find(({ id }) => id === 'QA_SIM');
  const pipeline = plugin?.presets[0]?.pipeline;
  if (!plugin || !pipeline) throw new Error('QA_SIM has no pipeline');
  return Promise.all(
    LABELLED_SET.map(async (labelled) => {
      const person = labelled.as ?? 'Ada';
      const host = { figures: figuresOf(workspace, person), listCapabilities: async () => TWELVE } as Partial<PluginHost> as PluginHost;
      const { outputs, answer } = await benchPipeline({
        pipeline,
        input: labelled.text,
        capabilities: plugin.capabilities.map(({ metadata, create }) => ({ metadata, handler: create(host) })),
        permissions: new Set(BUILT_IN_ROLE_PERMISSIONS[person === 'Ada' ? 'owner' : 'member']),
        locale: /\p{Script=Han}/u.test(labelled.text) ? 'zh-CN' : 'en',
        timeZone: TIME_ZONE,
        now: ASKED_AT,
      });
      const { kind } = question.parse(outputs.get('qa_sim/intent')).question;
      const found = outputs.has('qa_sim/analyst') ? findings.parse(outputs.get('qa_sim/analyst')).findings : [];
      const figures = found.map(({ status, value, parts, ask }) => {
        if (status === 'refused') return 'refused';
        return (ask.measure === 'top' || ask.measure === 'latest') && parts[0] ? parts[0].name : value;
      });
      const isRight = kind === labelled.kind && JSON.stringify(figures) === JSON.stringify(labelled.figures);
      return { question: labelled, kind, figures, answer, isRight };
    }),
  );
}
