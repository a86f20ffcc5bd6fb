import type { Id, TenantScope } from '#lib/kernel/index.ts';
import type { ContextContributor } from './ports.ts';

/** One exchange as the model's memory keeps it. */
export interface RememberedTurn {
  readonly user: string;
  readonly assistant: string;
}

const TURN_LIMIT = 12;
/** In characters, of each side of a turn; the beginning is kept. */
const SIDE_LIMIT = 1_200;

/** Order 1: the last turns as text, with how many there are and what was cut (requirement P-24). */
export function createHistoryContributor(
  readTurns: (request: {
    scope: TenantScope;
    sessionId: Id<'session'>;
    agentId: string;
    messageId: Id<'message'>;
  }) => Promise<readonly RememberedTurn[]>,
): ContextContributor {
  return {
    name: 'history',
    order: 1,
    async contribute(request) {
      const turns = await readTurns(request);
      return turns.length === 0 ? [] : [{ namespace: 'conversation', key: 'history', value: describeTurns(turns) }];
    },
  };
}

/** The last turns, oldest first, behind a line that says how many of how many they are. */
export function describeTurns(turns: readonly RememberedTurn[]): string {
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
