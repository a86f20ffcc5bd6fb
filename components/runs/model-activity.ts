import { z } from 'zod';
import type { RunEventView } from '#lib/supervisor/contract.ts';

const modelCall = z.object({
  path: z.string(),
  agentId: z.string(),
  provider: z.string(),
  model: z.string(),
  attempts: z.number(),
  durationMs: z.number(),
  firstPartMs: z.number().nullable(),
  finishReason: z.string(),
  toolCalls: z.number(),
  usage: z.object({
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    cacheWriteTokens: z.number(),
    outputTokens: z.number(),
    reasoningTokens: z.number(),
    isEstimated: z.boolean(),
  }),
  cost: z.object({ micros: z.number(), currency: z.string() }).nullable(),
  /** Characters of what was sent, by contributor; runs of earlier versions have none. */
  prompt: z.array(z.object({ contributor: z.string(), characters: z.number() })).default([]),
});
const handoff = z.object({ path: z.string(), from: z.string(), to: z.string(), task: z.string() });
const handoffAnswered = z.object({ path: z.string(), text: z.string() });
const reasoning = z.object({ step: z.number(), text: z.string() });
const contextAssembled = z.object({
  path: z.string().default(''),
  agentId: z.string().default('platform_supervisor'),
  fragments: z.array(
    z.object({
      contributor: z.string(),
      order: z.number(),
      namespace: z.string(),
      key: z.string(),
      value: z.string(),
      isOverridden: z.boolean(),
    }),
  ),
});

/** One call of a model. `at` is when it ended; its cost is null where no price was set. */
export type ModelCall = z.infer<typeof modelCall> & { seq: number; at: string };
/** A task one agent gave another; `answer` is null while it is out, or when it never came. */
export type Handoff = z.infer<typeof handoff> & { seq: number; at: string; answer: string | null };
type Fragment = z.infer<typeof contextAssembled>['fragments'][number];

/** What one contributor put into the prompt. */
export interface PromptPart {
  contributor: string;
  fragments: readonly (Fragment & { characters: number; isSent: boolean })[];
  /** Characters of what was sent. */
  characters: number;
  /** Its part of all contributors' characters, 0 to 1. */
  share: number;
}

/** What one agent was told in one of its turns. */
export interface AgentPrompt {
  path: string;
  agentId: string;
  parts: readonly PromptPart[];
}

/** What a model did in a run, as its log tells. */
export interface ModelActivity {
  calls: readonly ModelCall[];
  handoffs: readonly Handoff[];
  /** What was thought aloud, a text a step. */
  reasoning: readonly { step: number; text: string }[];
  /** What each agent was told when its turn began. */
  prompts: readonly AgentPrompt[];
}

/** Reads the log for what a model did. An entry of a shape that this version does not know is left out. */
export function modelActivity(events: readonly RunEventView[]): ModelActivity {
  const calls = read(events, 'model-call', modelCall);
  const answers = new Map(read(events, 'handoff-answered', handoffAnswered).map(({ path, text }) => [path, text]));
  const handoffs = read(events, 'handoff', handoff).map((task) => ({ ...task, answer: answers.get(task.path) ?? null }));
  const thoughts = new Map<number, string>();
  for (const { step, text } of read(events, 'reasoning-delta', reasoning)) thoughts.set(step, (thoughts.get(step) ?? '') + text);
  // A process that took the run over has told a turn's prompt again.
  const prompts = new Map<string, AgentPrompt>();
  for (const { path, agentId, fragments } of read(events, 'context-assembled', contextAssembled))
    prompts.set(path, { path, agentId, parts: promptParts(fragments) });
  return {
    calls,
    handoffs,
    reasoning: [...thoughts].map(([step, text]) => ({ step, text })),
    prompts: [...prompts.values()].filter(({ parts }) => parts.length > 0),
  };
}

/** Whether there is anything to show of a model. */
export function hasModelActivity({ calls, handoffs, reasoning: thoughts, prompts }: ModelActivity): boolean {
  return calls.length + handoffs.length + thoughts.length + prompts.length > 0;
}

/** All tokens of a call: its classes do not overlap. */
export function tokensOf({ usage }: Pick<ModelCall, 'usage'>): number {
  return usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens + usage.outputTokens + usage.reasoningTokens;
}

/** Costs of calls summed by currency, and how many calls have none: unknown is not free. */
export function sumCosts(calls: readonly Pick<ModelCall, 'cost'>[]): { costs: { micros: number; currency: string }[]; unpriced: number } {
  const sums = new Map<string, number>();
  for (const { cost } of calls) if (cost) sums.set(cost.currency, (sums.get(cost.currency) ?? 0) + cost.micros);
  return {
    costs: [...sums].map(([currency, micros]) => ({ currency, micros })),
    unpriced: calls.filter(({ cost }) => cost === null).length,
  };
}

function promptParts(fragments: readonly Fragment[]): PromptPart[] {
  const parts = new Map<string, Fragment[]>();
  for (const fragment of fragments) parts.set(fragment.contributor, [...(parts.get(fragment.contributor) ?? []), fragment]);
  const sized = [...parts].map(([contributor, given]) => {
    const measured = given.map((fragment) => ({
      ...fragment,
      characters: fragment.value.length,
      isSent: !fragment.isOverridden && fragment.value !== '',
    }));
    return { contributor, fragments: measured, characters: sum(measured.map(({ isSent, characters }) => (isSent ? characters : 0))) };
  });
  const all = sum(sized.map(({ characters }) => characters));
  return sized.map((part) => ({ ...part, share: all === 0 ? 0 : part.characters / all }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function read<Payload extends object>(
  events: readonly RunEventView[],
  type: RunEventView['type'],
  schema: z.ZodType<Payload>,
): (Payload & { seq: number; at: string })[] {
  return events.flatMap((event) => {
    if (event.type !== type) return [];
    const parsed = schema.safeParse(event.payload);
    return parsed.success ? [{ ...parsed.data, seq: event.seq, at: event.at }] : [];
  });
}
