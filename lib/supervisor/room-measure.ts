import { type Conversation, type Room, sizeOf, totalSize } from '#lib/conversations/index.ts';
import type { Id } from '#lib/kernel/index.ts';
import {
  budgetOf,
  countTools,
  type ExposedTool,
  estimateTokens,
  type ModelSpec,
  rememberCounts,
  type TokenCalibration,
  type TokenCounter,
  type TokenCounters,
} from '#lib/models/index.ts';

export interface MeasuredRoom {
  readonly room: Room;
  readonly windowTokens: number;
  /** As the model counts; the room's own limit is in tokens as we count them. */
  readonly limitTokens: number;
  /** What a provider counts for one that we estimate. */
  readonly factor: number;
  readonly isExact: boolean;
}

/** Nearer to the limit than this an estimate is not enough, where the model has a tokenizer. */
const WORTH_COUNTING = 0.5;

/** Tells what room a model has for a conversation: the same for a message that is sent and for the run that answers it. */
export class RoomMeasure {
  readonly #counters: TokenCounters;
  readonly #calibration: TokenCalibration;
  readonly #tenantId: Id<'tenant'>;
  readonly #estimate = rememberCounts(estimateTokens);
  #exact: { readonly model: string; readonly count: TokenCounter } | null = null;

  constructor(of: { counters: TokenCounters; calibration: TokenCalibration; tenantId: Id<'tenant'> }) {
    this.#counters = of.counters;
    this.#calibration = of.calibration;
    this.#tenantId = of.tenantId;
  }

  async measure(spec: ModelSpec, conversation: Conversation, tools: readonly ExposedTool[]): Promise<MeasuredRoom> {
    const { limitTokens, windowTokens } = budgetOf(spec);
    const toolTokens = countTools(tools, this.#estimate);
    const estimated = totalSize(sizeOf(conversation, { toolTokens, count: this.#estimate }));
    const { count, factor, isExact } = await this.#countingFor(spec, estimated, limitTokens);
    const room = { limitTokens: Math.floor(limitTokens / factor), toolTokens: isExact ? countTools(tools, count) : toolTokens, count };
    return { room, windowTokens, limitTokens, factor, isExact };
  }

  /** The model's own tokenizer where it has one and the room is short, else our estimate with what the provider taught us. */
  async #countingFor(spec: ModelSpec, estimated: number, limitTokens: number) {
    const factor = this.#calibration.factorOf({ ...spec, tenantId: this.#tenantId });
    if (estimated * factor > limitTokens * WORTH_COUNTING && this.#exact?.model !== spec.model) {
      const exact = await this.#counters.exact(spec);
      if (exact) this.#exact = { model: spec.model, count: rememberCounts(exact) };
    }
    if (this.#exact?.model === spec.model) return { count: this.#exact.count, factor: 1, isExact: true };
    return { count: this.#estimate, factor, isExact: false };
  }
}
