import type { PromptMessage, ToolResultPart } from '#lib/models/index.ts';

type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>;

/** Stands where a run died between a call and its result: a provider refuses a call that was not answered. */
export const INTERRUPTED_CALL = 'This call did not end: the run was interrupted before there was a result.';

const NO_ANSWER = '(There was no answer.)';
const GO_ON = '(The conversation goes on.)';
const EMPTY = '(An empty message.)';

/**
 * The messages of a history in groups that are kept or dropped whole: a message of the person; what an assistant said; or its
 * calls with exactly one result each, in the order they were asked for. Results that nobody asked for are left out, missing
 * ones are made up as errors, and what says nothing at all is dropped. System messages belong to no history.
 */
export function groupMessages(messages: readonly PromptMessage[]): PromptMessage[][] {
  const groups: PromptMessage[][] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') groups.push([message.content.trim() === '' ? { ...message, content: EMPTY } : message]);
    if (message.role !== 'assistant' || !message.content.some(saysSomething)) continue;
    const results = resultsAfter(messages, index);
    const answered = answerCalls(message, results);
    groups.push(answered.length === 0 ? [message] : [message, { role: 'tool', results: answered }]);
  }
  return groups;
}

/**
 * An order that every provider accepts: after the system prompt a person's message, then turn by turn; nobody speaks twice in a
 * row, and a tool's results are followed by the assistant. What is missing between two messages is filled in.
 */
export function inAcceptedOrder(messages: readonly PromptMessage[]): PromptMessage[] {
  const ordered: PromptMessage[] = [];
  for (const message of messages) {
    const last = ordered.at(-1);
    if (message.role === 'user' && (last?.role === 'user' || last?.role === 'tool')) ordered.push(say(NO_ANSWER));
    if (message.role === 'assistant' && (!last || last.role === 'system')) ordered.push({ role: 'user', content: GO_ON });
    if (message.role === 'assistant' && last?.role === 'assistant') {
      // Calls stand last in a message: what was said before them goes in front.
      ordered[ordered.length - 1] = { role: 'assistant', content: [...last.content, ...message.content] };
      continue;
    }
    ordered.push(message);
  }
  return ordered;
}

function say(text: string): AssistantMessage {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

/** Reasoning alone is no message: providers want what it led to. */
function saysSomething(part: AssistantMessage['content'][number]): boolean {
  return part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== '');
}

/** Everything tools gave until somebody else spoke. */
function resultsAfter(messages: readonly PromptMessage[], index: number): ToolResultPart[] {
  const results: ToolResultPart[] = [];
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool') break;
    results.push(...message.results);
  }
  return results;
}

function answerCalls({ content }: AssistantMessage, results: readonly ToolResultPart[]): ToolResultPart[] {
  return content.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const { callId, toolName } = part;
    return [results.find((result) => result.callId === callId) ?? { callId, toolName, text: INTERRUPTED_CALL, isError: true }];
  });
}
