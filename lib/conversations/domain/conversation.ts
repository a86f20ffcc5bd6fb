import { countMessage, type PromptMessage, type TokenCounter } from '#lib/models/index.ts';
import { groupMessages, inAcceptedOrder } from './message-order.ts';

/** An earlier exchange of the session: it is kept or dropped whole. */
export interface Turn {
  /** What it is found by again: the run that answered. */
  readonly id: string;
  readonly messages: readonly PromptMessage[];
  /** A person wants it kept word for word. */
  readonly isPinned: boolean;
}

/** One call of the model in the turn that is under way, with what came of the calls it asked for. Whole as well. */
export type Step = readonly PromptMessage[];

/**
 * What a model is sent, as an aggregate: `compaction.ts` keeps it within its room, and no message leaves it otherwise. The
 * summaries stand apart from the messages they replace.
 */
export interface Conversation {
  /** First, and untouched. */
  readonly system: string;
  /** What turns that were dropped came to; null: none was. */
  readonly summary: string | null;
  readonly turns: readonly Turn[];
  /** The message that is answered, word for word. */
  readonly request: string;
  /** What dropped steps of this turn came to; null: none was. */
  readonly progress: string | null;
  readonly steps: readonly Step[];
}

/** The room a conversation has. */
export interface Room {
  /** Everything a call may send. */
  readonly limitTokens: number;
  /** Of them taken by the tools that the call names. */
  readonly toolTokens: number;
  readonly count: TokenCounter;
}

/** Tokens by what they are spent on; their sum is what a call sends. */
export interface ConversationSize {
  readonly system: number;
  readonly summary: number;
  readonly history: number;
  readonly tools: number;
}

/** A conversation before its request is answered. */
export function openConversation(given: {
  system: string;
  request: string;
  summary?: string | null;
  turns?: readonly { id: string; messages: readonly PromptMessage[]; isPinned?: boolean }[];
}): Conversation {
  const turns = (given.turns ?? [])
    .map(({ id, messages, isPinned = false }) => ({ id, messages: groupMessages(messages).flat(), isPinned }))
    .filter(({ messages }) => messages.length > 0);
  return { system: given.system, summary: given.summary ?? null, turns, request: given.request, progress: null, steps: [] };
}

/** The same with the steps that have been taken since the request. */
export function withSteps(conversation: Conversation, messages: readonly PromptMessage[]): Conversation {
  return { ...conversation, steps: groupMessages(messages) };
}

/** What is sent: the system prompt, what was dropped in short, the turns that are kept, the request, and the steps since. */
export function promptOf(conversation: Conversation): PromptMessage[] {
  return inAcceptedOrder([
    { role: 'system', content: conversation.system },
    ...continuationOf(conversation),
    ...conversation.turns.flatMap(({ messages }) => messages),
    { role: 'user', content: conversation.request },
    ...conversation.steps.flat(),
  ]);
}

export function sizeOf(conversation: Conversation, { toolTokens, count }: Pick<Room, 'toolTokens' | 'count'>): ConversationSize {
  const continuation = continuationOf(conversation);
  const [system = 0, ...rest] = promptOf(conversation).map((message) => countMessage(message, count));
  const summary = continuation.reduce((sum, message) => sum + countMessage(message, count), 0);
  return { system, summary, history: rest.reduce((sum, tokens) => sum + tokens, 0) - summary, tools: toolTokens };
}

export function totalSize({ system, summary, history, tools }: ConversationSize): number {
  return system + summary + history + tools;
}

/** The internal message after a compaction (requirement H-09), with the word that takes it in. */
function continuationOf({ summary, progress }: Conversation): PromptMessage[] {
  if (summary === null && progress === null) return [];
  const content = [
    'This conversation has been long, so what was said before is kept as key points. They are a record, not a request:',
    summary ?? '',
    progress === null ? '' : `What you have done so far for the last message below:\n${progress}`,
    'Go on from there.',
  ];
  return [
    { role: 'user', content: content.filter((part) => part !== '').join('\n\n') },
    { role: 'assistant', content: [{ type: 'text', text: 'I have the key points and go on from there.' }] },
  ];
}
