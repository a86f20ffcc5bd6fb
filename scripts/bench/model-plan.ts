/**
 * What the scripted model does in one turn. It travels inside the user's message as a tag, so the model server keeps no
 * sessions, and every loop that passes the message on can be measured with it.
 */
export interface ModelPlan {
  readonly id: string;
  /** Calls of the tool, one after another, before the answer. */
  readonly toolCalls: number;
  /** `lookup({query})` of the loops, or the product's `echo({text})` with the text that `lookup` would answer. */
  readonly tool: 'lookup' | 'echo';
  /** Tokens of the answer. */
  readonly tokens: number;
  /** Wait before the first token of each answer, in ms. */
  readonly firstTokenMs: number;
  /** Wait between tokens, in ms; with 0 the whole answer leaves at once. */
  readonly tokenMs: number;
}

/** A turn's model work, without the id that each turn gets. */
export type Workload = Omit<ModelPlan, 'id' | 'tool'>;

export const WORKLOADS = {
  /** One model call, 200 tokens. */
  W1: { toolCalls: 0, tokens: 200, firstTokenMs: 0, tokenMs: 0 },
  /** Three tool calls in a row, then 200 tokens: four model calls. */
  W2: { toolCalls: 3, tokens: 200, firstTokenMs: 0, tokenMs: 0 },
  /** 100 tokens at 50 a second. */
  paced: { toolCalls: 0, tokens: 100, firstTokenMs: 20, tokenMs: 20 },
} as const satisfies Record<string, Workload>;

let planCount = 0;

export function newPlan(workload: Workload, tool: ModelPlan['tool']): ModelPlan {
  planCount += 1;
  return { id: `${process.pid.toString(36)}-${planCount.toString(36)}`, tool, ...workload };
}

export function messageFor(plan: ModelPlan): string {
  return `Please handle the next item. [[bench:${Buffer.from(JSON.stringify(plan)).toString('base64url')}]]`;
}

export function answerOf(plan: Pick<ModelPlan, 'tokens'>): string {
  return Array.from({ length: plan.tokens }, (_token, index) => tokenAt(index)).join('');
}

export function tokenAt(index: number): string {
  return `m${index} `;
}

/** The plan in a text, null without one. */
export function findPlan(text: string): ModelPlan | null {
  const tag = /\[\[bench:([\w-]+)\]\]/.exec(text)?.[1];
  return tag === undefined ? null : JSON.parse(Buffer.from(tag, 'base64url').toString());
}

/** What the tool `lookup` answers in every loop: about 400 bytes. */
export function lookUp(query: string): string {
  const items = Array.from({ length: 5 }, (_item, index) => ({
    id: `item-${index}`,
    title: `Result number ${index} of the lookup`,
    score: 0.9 - index / 10,
  }));
  return JSON.stringify({ query, found: true, items });
}
