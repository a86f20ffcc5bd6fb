import type { PromptMessage } from '#lib/models/index.ts';

/** What a model is told where a soft limit is reached (requirement H-34). */
const BRIEF =
  'Answer as briefly as you can: a budget is nearly used up. Give the result in a few sentences, leave out what was not asked for, and call no tool that you can do without.';

/** The same prompt for a short answer: said at the end of the instructions, and everything else as it was. */
export function inFewWords(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const [first, ...others] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: BRIEF }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${BRIEF}` }, ...others];
}
