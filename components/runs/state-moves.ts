import type { InvocationHead, SessionMoveView } from '#lib/record/contract.ts';
import type { RunEventView } from '#lib/supervisor/contract.ts';

/** One move of one thing of a run. `dwellMs`: how long it stayed in the state it came to; null while it is in it, or at its end. */
export interface StateMove {
  readonly id: string;
  readonly from: string | null;
  readonly to: string;
  readonly reason: string;
  readonly at: string;
  readonly attempt: number | null;
  readonly dwellMs: number | null;
}

/** All moves of one thing: the session, the run, or a call. */
export interface StateLane {
  readonly kind: 'session' | 'run' | 'call';
  /** The call's id; of the others, their kind. */
  readonly id: string;
  readonly capabilityId: string | null;
  readonly moves: readonly StateMove[];
}

/** Every recorded move of a run's session, of the run and of its calls, with its reason and how long the state lasted. */
export function stateLanes(parts: {
  readonly sessionMoves: readonly SessionMoveView[];
  readonly events: readonly RunEventView[];
  readonly invocations: readonly InvocationHead[];
}): StateLane[] {
  const runMoves = parts.events
    .filter(({ type }) => type === 'run-state')
    .map(({ at, payload }) => ({
      from: typeof payload['from'] === 'string' ? payload['from'] : null,
      to: String(payload['to']),
      reason: typeof payload['reason'] === 'string' ? payload['reason'] : '',
      at,
    }));
  return [
    lane('session', 'session', null, parts.sessionMoves),
    lane('run', 'run', null, runMoves),
    ...parts.invocations.map(({ id, capabilityId, transitions }) => lane('call', id, capabilityId, transitions)),
  ].filter(({ moves }) => moves.length > 0);
}

function lane(
  kind: StateLane['kind'],
  id: string,
  capabilityId: string | null,
  moves: readonly { from: string | null; to: string; reason: string; at: string; attempt?: number }[],
): StateLane {
  return {
    kind,
    id,
    capabilityId,
    moves: moves.map((move, index) => {
      const next = moves[index + 1];
      return {
        id: `${id}/${index}`,
        from: move.from,
        to: move.to,
        reason: move.reason,
        at: move.at,
        attempt: move.attempt ?? null,
        dwellMs: next ? Math.max(0, Date.parse(next.at) - Date.parse(move.at)) : null,
      };
    }),
  };
}
