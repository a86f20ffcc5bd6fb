import type { MessageView } from '#lib/conversations/contract.ts';

/** One answer to a message: by a run that is stored, under way, or both. */
export interface Attempt {
  runId: string;
  /** Null while the transcript does not hold the answer yet. */
  message: MessageView | null;
}

/** A message and the answers to it, oldest first; a retry adds one. */
export interface Turn {
  message: MessageView;
  attempts: readonly Attempt[];
}

/**
 * Puts a transcript and the runs under way together. A run gives one attempt under one key however often it is heard of:
 * in the transcript, as an active run, or by a replay (K1).
 *
 * `messageOf` tells which message a run answers, where its own log has said so. A run whose message is not there yet waits
 * for the transcript that has it.
 */
export function buildTurns(
  messages: readonly MessageView[],
  activeRunIds: readonly string[],
  messageOf: (runId: string) => string | null,
): Turn[] {
  const turns: { message: MessageView; attempts: Attempt[] }[] = [];
  const byRun = new Map<string, { message: MessageView; attempts: Attempt[] }>();
  for (const message of messages) {
    if (message.role === 'user') {
      const turn = { message, attempts: [] };
      turns.push(turn);
      byRun.set(message.runId, turn);
      continue;
    }
    const turn = byRun.get(message.runId) ?? turns.find((candidate) => candidate.message.id === messageOf(message.runId)) ?? turns.at(-1);
    if (!turn || turn.attempts.some(({ runId }) => runId === message.runId)) continue;
    turn.attempts.push({ runId: message.runId, message });
    byRun.set(message.runId, turn);
  }
  for (const runId of activeRunIds) {
    const turn = byRun.get(runId) ?? turns.find((candidate) => candidate.message.id === messageOf(runId));
    if (turn && !turn.attempts.some((attempt) => attempt.runId === runId)) turn.attempts.push({ runId, message: null });
  }
  return turns;
}
