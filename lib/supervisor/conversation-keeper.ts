import { type CallBudget, type ContextUse, type ModelCallRecords, type PromptKeeper, runAgent, SUMMARISER } from '#lib/agents/index.ts';
import {
  type Conversation,
  type Dropped,
  fitConversation,
  promptOf,
  type Room,
  sizeOf,
  summaryRequest,
  summaryTokens,
  totalSize,
  withModelSummary,
  withSteps,
} from '#lib/conversations/index.ts';
import { type Clock, type ErrorCode, faultPoint, isAppError, messageOf, parseId } from '#lib/kernel/index.ts';
import {
  type LanguageModel,
  ModelError,
  type ModelSpec,
  type PromptMessage,
  type TokenCalibration,
  type TokenCounters,
} from '#lib/models/index.ts';
import { type CompactionRecord, compactionEvent, compactionNode, compactionsOf } from './domain/compaction-record.ts';
import type { Run } from './domain/run.ts';
import { SILENT } from './domain/silent-voice.ts';
import type { RunRecords } from './ports.ts';
import { type MeasuredRoom, RoomMeasure } from './room-measure.ts';
import type { RunWriter } from './run-writer.ts';

export interface KeeperInputs {
  readonly run: Pick<Run, 'tenantId'>;
  readonly records: Pick<RunRecords, 'nodes'>;
  readonly writer: RunWriter;
  readonly model: LanguageModel;
  readonly fallbacks: readonly LanguageModel[];
  readonly budget: CallBudget | null;
  /** Of the calls that summarise; their scene is `summary`. */
  readonly summaryRecords: ModelCallRecords;
  readonly counters: TokenCounters;
  readonly calibration: TokenCalibration;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly repairJson: (text: string) => string;
  readonly log: { warn(context: object, message: string): void };
}

/**
 * Keeps one turn's conversation within its model's room, before each call of the model (requirements H-05 to H-10). When
 * something has to leave, a model writes what it came to, as a recorded call; without a summary from it the extract serves.
 * Summary, marker and what the run carries on from are committed before the call that needed the room is made.
 */
export class ConversationKeeper implements PromptKeeper {
  readonly #inputs: KeeperInputs;
  readonly #agentId: string;
  readonly #seqOf: ReadonlyMap<string, number>;
  readonly #measure: RoomMeasure;
  #conversation: Conversation;
  #stepsGone = 0;
  readonly #recorded = new Set<string>();

  /**
   * @param turn the conversation before its request is answered; `path` is the turn's in the run, and `seqOf` the places of
   * its turns in the session, by their ids
   */
  constructor(
    inputs: KeeperInputs,
    turn: { path: string; agentId: string; conversation: Conversation; seqOf: ReadonlyMap<string, number> },
  ) {
    this.#inputs = inputs;
    this.#measure = new RoomMeasure({ ...inputs, tenantId: inputs.run.tenantId });
    this.#agentId = turn.agentId;
    this.#seqOf = turn.seqOf;
    this.#conversation = turn.conversation;
    // A driver that takes the run on goes on from what had left.
    for (const left of compactionsOf(inputs.records.nodes, turn.path)) {
      const gone = new Set(left.turnIds);
      const turns = this.#conversation.turns.filter(({ id }) => !gone.has(id));
      this.#conversation = { ...this.#conversation, turns, summary: left.summary, progress: left.progress };
      this.#stepsGone = left.stepCount;
    }
  }

  async fit({ since, tools, path, spec, place }: Parameters<PromptKeeper['fit']>[0]): ReturnType<PromptKeeper['fit']> {
    const whole = withSteps(this.#conversation, since);
    const conversation = { ...whole, steps: whole.steps.slice(this.#stepsGone) };
    const measured = await this.#measure.measure(spec, conversation, tools);
    const { room } = measured;
    const fitted = fitConversation(conversation, room);
    const kept =
      fitted.result === 'simple' || isEmpty(fitted.dropped)
        ? fitted.conversation
        : await this.#compact(conversation, fitted, { room, path, place, spec });
    return { messages: promptOf(kept), context: toContextUse(kept, measured) };
  }

  async #compact(
    before: Conversation,
    fitted: { conversation: Conversation; dropped: Dropped },
    given: { room: Room; path: string; place: number; spec: ModelSpec },
  ): Promise<Conversation> {
    const { writer, clock } = this.#inputs;
    const { dropped } = fitted;
    const place = this.#freePlace(given.path, given.place);
    const at = { ...given, summaryPlace: place };
    const turns = dropped.turns.flatMap(({ messages }) => messages);
    const [summary, progress] = await Promise.all([
      dropped.turns.length > 0 ? this.#askForSummary(before.summary, turns, at, 'summary') : null,
      dropped.steps.length > 0 ? this.#askForSummary(before.progress, dropped.steps.flat(), at, 'progress') : null,
    ]);
    let kept = fitted.conversation;
    if (summary !== null) kept = withModelSummary(kept, 'summary', summary, at.room);
    if (progress !== null) kept = withModelSummary(kept, 'progress', progress, at.room);
    const last = dropped.turns.at(-1);
    const record: CompactionRecord = {
      path: compactionPath(at.path, place),
      agentId: this.#agentId,
      source: kept === fitted.conversation ? 'extract' : 'model',
      throughTurnSeq: (last && this.#seqOf.get(last.id)) ?? null,
      throughRunId: last ? parseId('run', last.id) : null,
      summary: kept.summary,
      progress: kept.progress,
      turns: dropped.turns.map(({ id, messages }) => ({ runId: id, asked: headOf(messages) })),
      stepCount: dropped.steps.length,
      tokensBefore: totalSize(sizeOf(before, at.room)),
      tokensAfter: totalSize(sizeOf(kept, at.room)),
    };
    this.#stepsGone += dropped.steps.length;
    this.#conversation = { ...this.#conversation, turns: kept.turns, summary: kept.summary, progress: kept.progress };
    this.#recorded.add(record.path);
    faultPoint('compaction.before-write');
    await writer.write({
      nodes: [{ path: record.path, output: compactionNode(record, this.#stepsGone) }],
      compactions: [record],
      events: [{ type: 'conversation-compacted', at: clock.now(), payload: compactionEvent(record) }],
      refuseWhenCancelled: true,
    });
    faultPoint('compaction.written');
    return kept;
  }

  /**
   * One call may compact twice: for a second model, or after a driver with less room has taken the run on. Each has a record
   * of its own, and a summary of its own.
   */
  #freePlace(path: string, from: number): number {
    const isTaken = (place: number) =>
      this.#recorded.has(compactionPath(path, place)) || this.#inputs.records.nodes.has(compactionPath(path, place));
    let place = from;
    while (isTaken(place)) place += 1;
    return place;
  }

  /** A model's words for what has to leave; null where it has none, and then the extract serves (requirement H-08). */
  async #askForSummary(
    before: string | null,
    dropped: readonly PromptMessage[],
    { room, path, place, summaryPlace }: { room: Room; path: string; place: number; summaryPlace: number },
    of: 'summary' | 'progress',
  ): Promise<string | null> {
    const { model, fallbacks, budget, clock, signal, random, repairJson, summaryRecords, log } = this.#inputs;
    const maxTokens = summaryTokens(room);
    const messages = summaryRequest(before, dropped, { roomTokens: room.limitTokens, maxTokens, count: room.count });
    try {
      const { text, finishReason } = await runAgent({
        definition: SUMMARISER,
        path: `${path}/${of}${summaryPlace || ''}`,
        messages,
        tools: [],
        // The one that has answered so far: those before it have just failed.
        model: [model, ...fallbacks][place] ?? model,
        firstPlace: place,
        fallbacks: fallbacks.slice(place),
        budget,
        records: summaryRecords,
        voice: SILENT,
        clock,
        signal,
        random,
        repairJson,
        onUnknownTool: async () => undefined,
        maxAttempts: 2,
      });
      return finishReason === 'stop' || finishReason === 'length' ? text : null;
    } catch (error) {
      const isItsOwn = error instanceof ModelError ? error.kind !== 'aborted' : isAppError(error) && OWN_LIMITS.includes(error.code);
      if (!isItsOwn) throw error;
      log.warn({ path, error: messageOf(error) }, 'a summary was not written; the extract serves');
      return null;
    }
  }
}

/** A turn goes on without a summary that has no room in these. */
const OWN_LIMITS: readonly ErrorCode[] = ['limit_reached', 'budget_exceeded'];

function compactionPath(path: string, place: number): string {
  return `${path}/compaction${place || ''}`;
}

function isEmpty({ turns, steps }: Dropped): boolean {
  return turns.length === 0 && steps.length === 0;
}

const HEAD_LENGTH = 120;

/** How a turn began, as a reader finds it again. */
function headOf(messages: readonly PromptMessage[]): string {
  const asked = messages.find((message) => message.role === 'user')?.content ?? '';
  return [...asked.replace(/\s+/g, ' ').trim()].slice(0, HEAD_LENGTH).join('');
}

function toContextUse(conversation: Conversation, at: MeasuredRoom): ContextUse {
  const size = sizeOf(conversation, at.room);
  const corrected = (tokens: number) => Math.round(tokens * at.factor);
  return {
    windowTokens: at.windowTokens,
    limitTokens: at.limitTokens,
    system: corrected(size.system),
    summary: corrected(size.summary),
    history: corrected(size.history),
    tools: corrected(size.tools),
    estimatedTokens: at.isExact ? null : totalSize(size),
  };
}
