import type { Id } from '#lib/kernel/index.ts';
import type { ContextContributor } from './ports.ts';

/** One exchange as the model's memory keeps it. */
export interface RememberedTurn {
  readonly runId: Id<'run'>;
  /** Its place in the session. */
  readonly seq: number;
  readonly user: string;
  readonly assistant: string;
  /** A person wants it kept word for word. */
  readonly isPinned: boolean;
}

/** What the memory has of a session above one message. */
export interface RememberedConversation {
  /** What turns before came to; null: none was dropped. */
  readonly summary: string | null;
  /** Oldest first, without those that the summary covers. */
  readonly turns: readonly RememberedTurn[];
  /** All that the session has, whatever branch they are of. */
  readonly turnCount: number;
}

const TURN_LIMIT = 12;
/** In characters, of each side of a turn; the beginning is kept. */
const SIDE_LIMIT = 1_200;

/**
 * Order 1: the last turns as text, with how many there are and what was cut (requirement P-24). The text is what the record
 * shows; the model reads the turns themselves, as messages before the request (`docs/decisions/0020`).
 */
export function createHistoryContributor(remembered: RememberedConversation): ContextContributor {
  return {
    name: 'history',
    order: 1,
    async contribute() {
      const { summary, turns } = remembered;
      return [
        ...(summary === null
          ? []
          : [{ namespace: 'conversation', key: 'summary', value: summary, isSentApart: true, contentOrigin: 'own' } as const]),
        ...(turns.length === 0
          ? []
          : [{ namespace: 'conversation', key: 'history', value: describeTurns(turns), isSentApart: true, contentOrigin: 'own' } as const]),
      ];
    },
  };
}

/** The last turns, oldest first, behind a line that says how many of how many they are. */
export function describeTurns(turns: readonly Pick<RememberedTurn, 'user' | 'assistant'>[]): string {
  const shown = turns.slice(-TURN_LIMIT);
  const head = `${shown.length} of ${turns.length} earlier turn(s), oldest first.`;
  const lines = shown.map((turn) => `User: ${cut(turn.user)}\nAssistant: ${cut(turn.assistant)}`);
  return [head, ...lines].join('\n\n');
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= SIDE_LIMIT) return text;
  return `${characters.slice(0, SIDE_LIMIT).join('')} … (${characters.length - SIDE_LIMIT} more characters)`;
}
