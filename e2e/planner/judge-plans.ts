import { z } from 'zod';
import { type ExecutionPlan, planRequest } from '#lib/supervisor/index.ts';
import { CATALOGUE } from './catalogue.ts';
import { handbookTenant } from './handbook.ts';
import labelledSetJson from './labelled-set.json' with { type: 'json' };

const labelledSet = z.object({
  now: z.iso.datetime(),
  timeZone: z.string(),
  utterances: z.array(
    z.object({
      id: z.string(),
      /** The planner was tuned on `tuning`; `held-out` was written before that and not looked at. */
      half: z.enum(['tuning', 'held-out']),
      text: z.string(),
      kind: z.enum(['task', 'clarify', 'greeting', 'help', 'unsupported']),
      /** Capability ids in order. */
      plan: z.array(z.string()),
      /** Arguments that each step must have at least. */
      arguments: z.array(z.record(z.string(), z.json())).optional(),
      /** For `clarify`: the capabilities whose missing arguments are asked for. */
      asks: z.array(z.string()).optional(),
    }),
  ),
});

export const LABELLED_SET = labelledSet.parse(labelledSetJson);
export type Utterance = (typeof LABELLED_SET)['utterances'][number];

export interface Verdict {
  readonly utterance: Utterance;
  readonly plan: ExecutionPlan;
  /** The same capabilities in the same order; for `clarify` also those asked about. */
  readonly isRight: boolean;
  /** The expected arguments are among those planned; true where none are expected. */
  readonly hasArguments: boolean;
}

/** Plans every utterance of the labelled set and compares; by default with what the documents have of each. */
export async function judgePlans({ withDocuments = true } = {}): Promise<Verdict[]> {
  const tenant = await handbookTenant();
  const judge = async (utterance: Utterance): Promise<Verdict> => {
    const known = await tenant.describe(utterance.text);
    const plan = planRequest({
      message: utterance.text,
      capabilities: CATALOGUE,
      ontologySummary: known.summary,
      ...(withDocuments ? { documents: known.documents } : {}),
      locale: /\p{Script=Han}/u.test(utterance.text) ? 'zh-CN' : 'en',
      now: new Date(LABELLED_SET.now),
      timeZone: LABELLED_SET.timeZone,
    });
    const planned = plan.steps.map((step) => step.capabilityId);
    const asked = [...new Set((plan.missing ?? []).map((entry) => entry.capabilityId))];
    return {
      utterance,
      plan,
      isRight: planned.join() === utterance.plan.join() && asked.join() === (utterance.asks ?? []).join(),
      hasArguments: (utterance.arguments ?? []).every((wanted, index) =>
        Object.entries(wanted).every(([name, value]) => JSON.stringify(plan.steps[index]?.arguments[name]) === JSON.stringify(value)),
      ),
    };
  };
  return Promise.all(LABELLED_SET.utterances.map(judge));
}
