import type { ClaimedSegments, DrivenSegment, SegmentQueue } from './segment-queue.ts';

/** By then the engine has noted the end of a segment, as a rule. */
const AFTER_END_MS = 15;

interface Surroundings {
  readonly segments: Pick<SegmentQueue, 'claim' | 'findFollowed'>;
  readonly isStarted: () => boolean;
  /** How many segments may begin here now. */
  readonly budget: () => number;
  readonly dispatch: (claimed: ClaimedSegments) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface SegmentWaker {
  /** Looks at the queue now. One look at a time; a call during one leads to one more. */
  wake(): void;
  /** Whether the last look may have left something for want of a free place. */
  isBehind(): boolean;
  /** Looks again once the engine has noted the end of this one, where something waited for it. */
  noteEnd(driven: DrivenSegment): void;
}

/** Begins what is due as soon as it is; a look once a second is the fallback. */
export function createSegmentWaker({ segments, isStarted, budget, dispatch, onError }: Surroundings): SegmentWaker {
  let isClaiming = false;
  let isDue = false;
  /** The last look may have left something for want of a free place. */
  let wasFull = false;
  let ended = new Map<string, DrivenSegment>();
  let timer: NodeJS.Timeout | null = null;

  async function claimDue(): Promise<void> {
    isClaiming = true;
    while (isDue && isStarted()) {
      isDue = false;
      try {
        const free = budget();
        const claimed = await segments.claim(free);
        wasFull = (claimed?.segments.length ?? 0) >= free;
        if (claimed) await dispatch(claimed);
      } catch (error) {
        onError(error);
      }
    }
    isClaiming = false;
  }

  function wake(): void {
    isDue = true;
    if (!isClaiming) void claimDue();
  }

  function lookAfterEnds(): void {
    timer ??= setTimeout(() => {
      timer = null;
      lookForNext().catch(onError);
    }, AFTER_END_MS);
  }

  /** What ended close together is looked after together. */
  async function lookForNext(): Promise<void> {
    const driven = ended;
    ended = new Map();
    if (!isStarted()) return;
    if (wasFull) wake();
    const followed = await segments.findFollowed([...driven.values()]);
    if (followed.some(({ isNoted }) => isNoted)) wake();
    for (const { key, isNoted } of followed) {
      const again = driven.get(key);
      if (again && !isNoted) ended.set(key, again);
    }
    if (ended.size > 0) lookAfterEnds();
  }

  return {
    wake,
    isBehind: () => wasFull,
    noteEnd(driven) {
      ended.set(driven.key, driven);
      lookAfterEnds();
    },
  };
}
