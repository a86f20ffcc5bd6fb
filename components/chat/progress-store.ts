import type { RunStream } from '#components/live/shared-stream.ts';
import { hasEnded } from '#components/runs/has-ended.ts';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import { applyRunEvent, type RunProgress, startProgress } from './run-progress.ts';

/** Readers are told at most this often; text arrives faster than anybody reads. */
const TELL_EVERY_MS = 50;

/**
 * The runs a chat is following. Each reader sees only its run change, so that a streaming answer re-renders itself and not
 * the five hundred messages above it.
 */
export class ProgressStore {
  readonly #runs = new Map<string, RunProgress>();
  readonly #ended = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(initial: readonly RunProgress[] = []) {
    for (const progress of initial) this.#runs.set(progress.runId, progress);
  }

  get(runId: string): RunProgress | undefined {
    return this.#runs.get(runId);
  }

  all(): RunProgress[] {
    return [...this.#runs.values()];
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Makes a run known before its log is, with the message it answers. */
  open(runId: string, messageId: string): void {
    if (!this.#runs.has(runId)) this.#runs.set(runId, { ...startProgress(runId), messageId });
  }

  /** Follows a run from where its progress stands. */
  follow(stream: RunStream, runId: string): () => void {
    const progress = this.#runs.get(runId) ?? startProgress(runId);
    this.#runs.set(runId, progress);
    return stream.follow(runId, progress.lastSeq, {
      onEvent: (event) => this.#apply(event),
      onEnd: () => {
        this.#ended.add(runId);
        this.#tellNow();
      },
    });
  }

  /** Whether there is nothing more to hear of a run. */
  isComplete(runId: string): boolean {
    const progress = this.#runs.get(runId);
    return this.#ended.has(runId) || (progress !== undefined && hasEnded(progress.state));
  }

  #apply(event: RunEventView): void {
    const before = this.#runs.get(event.runId) ?? startProgress(event.runId);
    const after = applyRunEvent(before, event);
    if (after === before) return;
    this.#runs.set(event.runId, after);
    // A change of state is told at once, text with the next beat.
    if (after.state === before.state) this.#timer ??= setTimeout(() => this.#tellNow(), TELL_EVERY_MS);
    else this.#tellNow();
  }

  #tellNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const listener of this.#listeners) listener();
  }
}
