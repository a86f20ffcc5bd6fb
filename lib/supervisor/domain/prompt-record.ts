import type { JsonObject } from '#lib/kernel/index.ts';

/** One thing an agent is told, and who told it. */
export interface PromptFragment {
  readonly contributor: string;
  readonly order: number;
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
  readonly isOverridden: boolean;
}

/** A message as far as its size goes. */
export interface SizedMessage {
  readonly characters: number;
}

/** Before every contributor, and behind them. */
const FIRST = -1;
const LAST = 100;

/** Everything an agent is told before it starts: who it is, what contributors gave, and what it is asked. */
export function promptOf(prompt: {
  agent: { readonly id: string; readonly instructions: string };
  context: readonly PromptFragment[];
  request: { readonly from: string; readonly text: string };
}): PromptFragment[] {
  const { agent, context, request } = prompt;
  return [
    { contributor: agent.id, order: FIRST, namespace: 'agent', key: 'instructions', value: agent.instructions, isOverridden: false },
    ...context,
    { contributor: request.from, order: LAST, namespace: 'request', key: 'message', value: request.text, isOverridden: false },
  ];
}

/** The event of a prompt, whole: what a model is sent first in this turn. */
export function promptEvent(place: { path: string; agentId: string }, fragments: readonly PromptFragment[]): JsonObject {
  return { ...place, fragments: fragments.map((fragment) => ({ ...fragment })) };
}

/** Sizes of one call's prompt by contributor, in characters: the whole prompt of its turn, and what was said in it since. */
export function promptSizes(
  fragments: readonly PromptFragment[],
  since: readonly SizedMessage[],
): { contributor: string; characters: number }[] {
  const sizes = new Map<string, number>();
  for (const { contributor, value, isOverridden } of fragments) {
    if (!isOverridden && value !== '') sizes.set(contributor, (sizes.get(contributor) ?? 0) + value.length);
  }
  const said = since.reduce((sum, { characters }) => sum + characters, 0);
  if (said > 0) sizes.set('conversation', said);
  return [...sizes].map(([contributor, characters]) => ({ contributor, characters }));
}
