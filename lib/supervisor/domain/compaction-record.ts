import type { Id, JsonObject } from '#lib/kernel/index.ts';

/** That a part of a conversation has left a model's room, what left and what it came to. */
export interface CompactionRecord {
  /** Where in the run: `platform_supervisor/m0/compaction`. */
  readonly path: string;
  readonly agentId: string;
  /** Who wrote what it came to; `extract`: nobody did. */
  readonly source: 'model' | 'extract';
  /** The newest turn that left, and the run that answered it; null where only steps of the run itself left. */
  readonly throughTurnSeq: number | null;
  readonly throughRunId: Id<'run'> | null;
  readonly summary: string | null;
  readonly progress: string | null;
  /** The turns that left, oldest first, by the beginning of what was asked. */
  readonly turns: readonly { readonly runId: string; readonly asked: string }[];
  readonly stepCount: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** What a driver that takes the run on needs of it. */
export interface LeftBehind {
  readonly summary: string | null;
  readonly progress: string | null;
  readonly turnIds: readonly string[];
  /** Of the whole turn until here. */
  readonly stepCount: number;
}

/** As the run's log tells it: what people see as a marker in the chat. */
export function compactionEvent({ turns, ...record }: CompactionRecord): JsonObject {
  return { ...record, turns: turns.map((turn) => ({ ...turn })) };
}

export function compactionNode({ summary, progress, turns }: CompactionRecord, stepCount: number): JsonObject {
  return { summary, progress, turnIds: turns.map(({ runId }) => runId), stepCount };
}

/** The compactions of the turn at `path` among a run's records, in the order they were made. */
export function compactionsOf(nodes: ReadonlyMap<string, JsonObject>, path: string): LeftBehind[] {
  return [...nodes]
    .flatMap(([at, output]) => {
      const place = at.startsWith(`${path}/m`) ? /^(\d+)\/compaction(\d*)$/.exec(at.slice(path.length + 2)) : null;
      return place ? [{ call: Number(place[1]), model: Number(place[2] || 0), left: toLeftBehind(output) }] : [];
    })
    .sort((a, b) => a.call - b.call || a.model - b.model)
    .map(({ left }) => left);
}

function toLeftBehind({ summary, progress, turnIds, stepCount }: JsonObject): LeftBehind {
  return {
    summary: typeof summary === 'string' ? summary : null,
    progress: typeof progress === 'string' ? progress : null,
    turnIds: Array.isArray(turnIds) ? turnIds.filter((id) => typeof id === 'string') : [],
    stepCount: typeof stepCount === 'number' ? stepCount : 0,
  };
}
