import type { CapabilityMetadata, InvocationState } from '#lib/capabilities/index.ts';

/** What a stop found: what had been done by then, and what it cut off. */
export interface StoppedWork {
  /** The last step whose tool ran to its end, whatever came of it; null for none. */
  readonly afterStep: number | null;
  /** Capabilities that have changed something: that stays. */
  readonly sideEffects: readonly string[];
  /** Capabilities that were at work. Those of `mayHaveActed` may have changed something all the same. */
  readonly cutOff: readonly string[];
  readonly mayHaveActed: readonly string[];
}

interface StoppedCall {
  readonly step: number;
  readonly capabilityId: string;
  readonly state: InvocationState;
  readonly attempt: number;
  readonly finishedAt: Date | null;
}

/** Whether a call changes something itself. One that hands tasks on does not: they are stopped with it, and say for themselves. */
export function changesByItself(metadata: Pick<CapabilityMetadata, 'sideEffect' | 'protocol'> | undefined): boolean {
  return metadata?.sideEffect !== 'read' && metadata?.protocol !== 'AGENT';
}

/**
 * Sorts the calls of a run by how the stop found them. A call that ended as failed after the stop was asked for did not end by
 * itself: its tool was told to stop, and nobody knows how far it had come.
 */
export function describeStop(
  calls: readonly StoppedCall[],
  { stopAskedAt, changesSomething }: { stopAskedAt: Date | null; changesSomething: (capabilityId: string) => boolean },
): StoppedWork {
  const begun = calls.filter((call) => call.attempt > 0);
  const isCutOff = ({ state, finishedAt }: StoppedCall) =>
    state !== 'SUCCEEDED' && (state !== 'FAILED' || (stopAskedAt !== null && finishedAt !== null && finishedAt >= stopAskedAt));
  const cutOff = begun.filter(isCutOff);
  const ended = begun.filter((call) => !isCutOff(call));
  const named = (some: readonly StoppedCall[]) => [...new Set(some.map(({ capabilityId }) => capabilityId))];
  return {
    afterStep: ended.length > 0 ? Math.max(...ended.map(({ step }) => step)) : null,
    sideEffects: named(ended.filter(({ state, capabilityId }) => state === 'SUCCEEDED' && changesSomething(capabilityId))),
    cutOff: named(cutOff),
    mayHaveActed: named(cutOff.filter(({ capabilityId }) => changesSomething(capabilityId))),
  };
}
