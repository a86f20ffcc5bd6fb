import { AppError } from '#lib/kernel/index.ts';
import { countMessage, type PromptMessage, type TokenCounter } from '#lib/models/index.ts';
import { type Conversation, type Room, type Step, sizeOf, type Turn, totalSize } from './conversation.ts';
import { beginningWithin, extractSummary, newestWithin } from './extractive-summary.ts';

/** What has left a conversation, oldest first. */
export interface Dropped {
  readonly turns: readonly Turn[];
  readonly steps: readonly Step[];
}

/** `simple`: nothing had to leave. Of a compacted one the summaries are extracts, until a model has written better ones. */
export type Fitted =
  | { readonly result: 'simple'; readonly conversation: Conversation }
  | { readonly result: 'compacted'; readonly conversation: Conversation; readonly dropped: Dropped };

/** A compaction makes room for more than the next message, so that one does not follow another. */
const AIM = 0.6;
/** More turns than these are summarised however short they are: a list of them grows without end. */
const TURN_LIMIT = 40;
const TURNS_KEPT = 20;
/** These nearest ones leave only where there is no room at all without them. */
const NEAREST = 2;
const SUMMARY_SHARE = 0.12;
const SUMMARY_TOKENS = 2_000;
/** Below it a result says nothing. */
const SMALLEST_RESULT_TOKENS = 40;

/** How long a summary may become in this room. */
export function summaryTokens({ limitTokens }: Pick<Room, 'limitTokens'>): number {
  return Math.min(SUMMARY_TOKENS, Math.floor(limitTokens * SUMMARY_SHARE));
}

/**
 * Brings a conversation within its room (requirements H-05 to H-08). Whole turns leave first, the oldest before the others and
 * pinned ones last; then steps of the turn that is under way, but for the newest; and if that one's results alone are too much,
 * they are cut and say so. The system prompt and the request stay as they are. Throws `message_too_large` when these two and
 * the tools alone leave no room.
 */
export function fitConversation(conversation: Conversation, room: Room): Fitted {
  requireRoom(conversation, room);
  if (!isTooLong(conversation, room)) return { result: 'simple', conversation };
  const work = new Compaction(conversation, room);
  work.dropOldTurns();
  work.dropOldSteps();
  work.dropPinnedTurns();
  work.cutNewestStep();
  return { result: 'compacted', conversation: work.conversation(), dropped: work.dropped() };
}

/**
 * A model's summary in place of the extract. An empty one, or one that would not fit, never replaces anything: the
 * conversation stays as it was (known fault K14).
 */
export function withModelSummary(conversation: Conversation, of: 'summary' | 'progress', text: string, room: Room): Conversation {
  const trimmed = text.trim();
  if (trimmed === '') return conversation;
  const { count } = room;
  const maxTokens = summaryTokens(room);
  const kept = beginningWithin(trimmed, { maxTokens, count }).trimEnd();
  const changed = { ...conversation, [of]: kept };
  return kept !== '' && totalSize(sizeOf(changed, room)) <= room.limitTokens ? changed : conversation;
}

function isTooLong(conversation: Conversation, room: Room): boolean {
  return conversation.turns.length > TURN_LIMIT || totalSize(sizeOf(conversation, room)) > room.limitTokens;
}

function requireRoom({ system, request }: Conversation, room: Room): void {
  const alone = { system, request, summary: null, turns: [], progress: null, steps: [] };
  const tokens = totalSize(sizeOf(alone, room));
  if (tokens <= room.limitTokens) return;
  const details = { tokens, limitTokens: room.limitTokens };
  throw new AppError({
    code: 'message_too_large',
    message: `This message is too long for the model: with what is always sent it takes about ${details.tokens} tokens, and ${details.limitTokens} fit. Shorten it, or split it.`,
    details,
  });
}

class Compaction {
  readonly #before: Conversation;
  readonly #room: Room;
  readonly #summaryTokens: number;
  #turns: Turn[];
  #steps: Step[];
  readonly #gone: { turns: Turn[]; steps: Step[] } = { turns: [], steps: [] };

  constructor(conversation: Conversation, room: Room) {
    this.#before = conversation;
    this.#room = room;
    this.#summaryTokens = summaryTokens(room);
    this.#turns = [...conversation.turns];
    this.#steps = [...conversation.steps];
  }

  dropOldTurns(): void {
    const limits = { before: this.#room.limitTokens * AIM, nearest: this.#room.limitTokens };
    this.#dropTurns((turn, place) => {
      if (turn.isPinned) return false;
      const isNear = place >= this.#before.turns.length - NEAREST;
      const isMany = this.#before.turns.length > TURN_LIMIT && this.#turns.length > TURNS_KEPT;
      return isMany || this.#tokens() > (isNear ? limits.nearest : limits.before);
    });
  }

  dropOldSteps(): void {
    // While there is room for all of them, they stay: what was just found out is what the answer is made of.
    if (this.#tokens() <= this.#room.limitTokens) return;
    while (this.#steps.length > 1) {
      const isNear = this.#steps.length <= NEAREST;
      if (this.#tokens() <= this.#room.limitTokens * (isNear ? 1 : AIM)) return;
      const [oldest = [], ...rest] = this.#steps;
      this.#gone.steps.push(oldest);
      this.#steps = rest;
    }
  }

  dropPinnedTurns(): void {
    this.#dropTurns(() => this.#tokens() > this.#room.limitTokens);
  }

  cutNewestStep(): void {
    const newest = this.#steps.at(-1);
    const excess = this.#tokens() - this.#room.limitTokens;
    if (!newest || excess <= 0) return;
    this.#steps = [];
    const free = this.#room.limitTokens - this.#tokens();
    const cut = cutResults(newest, free, this.#room.count);
    if (cut) this.#steps = [cut];
    else this.#gone.steps.push(newest);
  }

  dropped(): Dropped {
    return this.#gone;
  }

  conversation(): Conversation {
    const { count } = this.#room;
    const shared = { maxTokens: this.#summaryTokens, count };
    const summary =
      this.#gone.turns.length === 0
        ? this.#before.summary
        : extractSummary(
            this.#before.summary,
            this.#gone.turns.flatMap(({ messages }) => messages),
            shared,
          );
    const progress =
      this.#gone.steps.length === 0 ? this.#before.progress : extractSummary(this.#before.progress, this.#gone.steps.flat(), shared);
    return this.#shortened({ ...this.#before, turns: this.#turns, steps: this.#steps, summary, progress });
  }

  /** Where even the summaries are too much beside what must be sent, they give way. */
  #shortened(whole: Conversation): Conversation {
    let conversation = whole;
    for (const key of ['summary', 'progress'] as const) {
      const excess = totalSize(sizeOf(conversation, this.#room)) - this.#room.limitTokens;
      const text = conversation[key];
      if (excess <= 0 || text === null) continue;
      const maxTokens = Math.max(0, this.#room.count(text) - excess - 2);
      const shorter = newestWithin(text.split('\n'), { maxTokens, count: this.#room.count });
      conversation = { ...conversation, [key]: shorter === '' ? null : shorter };
    }
    const isFit = totalSize(sizeOf(conversation, this.#room)) <= this.#room.limitTokens;
    return isFit ? conversation : { ...conversation, summary: null, progress: null };
  }

  #dropTurns(mustLeave: (turn: Turn, place: number) => boolean): void {
    for (const turn of [...this.#turns]) {
      if (!mustLeave(turn, this.#before.turns.indexOf(turn))) continue;
      this.#gone.turns.push(turn);
      this.#turns = this.#turns.filter((kept) => kept !== turn);
    }
    const places = new Map(this.#before.turns.map((turn, place) => [turn, place]));
    this.#gone.turns.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  }

  /** With summaries as long as they may become, so that what they will take is not given away. */
  #tokens(): number {
    const [hasLostTurns, hasLostSteps] = [this.#gone.turns.length > 0, this.#gone.steps.length > 0];
    const conversation = {
      ...this.#before,
      turns: this.#turns,
      steps: this.#steps,
      summary: hasLostTurns ? '' : this.#before.summary,
      progress: hasLostSteps ? '' : this.#before.progress,
    };
    const reserved = Number(hasLostTurns) + Number(hasLostSteps);
    return totalSize(sizeOf(conversation, this.#room)) + reserved * this.#summaryTokens;
  }
}

/** The step with its results cut to `free` tokens in all; null when it would say nothing then. */
function cutResults(step: Step, free: number, count: TokenCounter): Step | null {
  const results = step.flatMap((message) => (message.role === 'tool' ? message.results : []));
  if (results.length === 0) return null;
  const empty = step.map(
    (message): PromptMessage =>
      message.role === 'tool' ? { ...message, results: message.results.map((result) => ({ ...result, text: '' })) } : message,
  );
  const share = Math.floor((free - empty.reduce((sum, message) => sum + countMessage(message, count), 0)) / results.length);
  if (share < SMALLEST_RESULT_TOKENS) return null;
  return step.map((message): PromptMessage => {
    if (message.role !== 'tool') return message;
    return { ...message, results: message.results.map((result) => ({ ...result, text: cutText(result.text, share, count) })) };
  });
}

function cutText(text: string, maxTokens: number, count: TokenCounter): string {
  if (count(text) <= maxTokens) return text;
  const note = '\n[Cut here: the rest does not fit. Ask for a smaller part to read on.]';
  return `${beginningWithin(text, { maxTokens: Math.max(0, maxTokens - count(note) - 1), count })}${note}`;
}
