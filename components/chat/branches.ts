import type { MessageView } from '#lib/conversations/contract.ts';

/** A person's message with its answer, and its siblings: other messages that follow the same turn. */
export interface Turn {
  message: MessageView;
  /** Null while no run of it is known to be under way and nothing is stored of one. */
  answer: { runId: string; message: MessageView | null } | null;
  /** The siblings' ids with its own, oldest first. */
  siblings: readonly string[];
}

/** Which of several siblings is shown: by the turn before them (`ROOT` for none), the message's id. */
export type BranchChoice = Readonly<Record<string, string>>;

/** The place before a chat's first message. */
export const ROOT = 'root';

/**
 * The turns on the way from a chat's first message to the end of the branch that is shown. Where nothing was chosen, the branch
 * with the newest message is. Every run gives at most one answer however often it is heard of (K1).
 *
 * Messages come oldest first, so a message that follows a later one, or none that is here, begins at the root.
 */
export function shownTurns(messages: readonly MessageView[], activeRunIds: readonly string[], choice: BranchChoice): Turn[] {
  const { followers, answers, newestBelow } = readTree(messages);
  const active = new Set(activeRunIds);
  const turns: Turn[] = [];
  let place = ROOT;
  for (;;) {
    const siblings = followers.get(place);
    if (!siblings) return turns;
    const message = siblings.find(({ id }) => id === choice[place]) ?? newestOf(siblings, newestBelow);
    if (!message) return turns;
    const answer = answers.get(message.runId) ?? null;
    turns.push({
      message,
      answer: answer || active.has(message.runId) ? { runId: message.runId, message: answer } : null,
      siblings: siblings.map(({ id }) => id),
    });
    place = message.id;
  }
}

/** The turn before each person's message: the nearest person's message above it, or `ROOT`. */
export function placesOf(messages: readonly MessageView[]): ReadonlyMap<string, string> {
  return readTree(messages).places;
}

/** The message that a new one follows, so that it stands at the end of what is shown; null in a chat without any. */
export function endOf(turns: readonly Turn[]): string | null {
  const last = turns.at(-1);
  return last ? (last.answer?.message?.id ?? last.message.id) : null;
}

/** The turns that stay in view while a message is on its way that will stand beside `messageId`. */
export function turnsBefore(turns: readonly Turn[], messageId: string): readonly Turn[] {
  const index = turns.findIndex(({ siblings }) => siblings.includes(messageId));
  return index === -1 ? turns : turns.slice(0, index);
}

function readTree(messages: readonly MessageView[]) {
  const places = new Map<string, string>();
  const followers = new Map<string, MessageView[]>();
  const answers = new Map<string, MessageView>();
  /** For every message seen so far, the last person's message on the way to it, itself included. */
  const turnOf = new Map<string, string>();
  for (const message of messages) {
    const place = (message.parentId === null ? undefined : turnOf.get(message.parentId)) ?? ROOT;
    if (message.role === 'assistant') {
      turnOf.set(message.id, place);
      if (!answers.has(message.runId)) answers.set(message.runId, message);
      continue;
    }
    if (places.has(message.id)) continue;
    turnOf.set(message.id, message.id);
    places.set(message.id, place);
    followers.set(place, [...(followers.get(place) ?? []), message]);
  }
  return { places, followers, answers, newestBelow: rankByNewest([...places]) };
}

/** For every message, how new the newest is that stands under it. */
function rankByNewest(places: readonly (readonly [string, string])[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  // Followers come after what they follow, so from the end on each is complete when it is handed up.
  for (let rank = places.length - 1; rank >= 0; rank -= 1) {
    const [id, place] = places[rank] ?? [ROOT, ROOT];
    const own = Math.max(newest.get(id) ?? 0, rank);
    newest.set(id, own);
    newest.set(place, Math.max(newest.get(place) ?? 0, own));
  }
  return newest;
}

function newestOf(siblings: readonly MessageView[], newestBelow: ReadonlyMap<string, number>): MessageView | undefined {
  return siblings.reduce<MessageView | undefined>(
    (best, candidate) => (best && (newestBelow.get(best.id) ?? 0) > (newestBelow.get(candidate.id) ?? 0) ? best : candidate),
    undefined,
  );
}
