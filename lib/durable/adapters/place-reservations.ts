import { randomUUID } from 'node:crypto';
import type { Reservation } from '../ports.ts';
import type { ClaimedSegment } from './segment-queue.ts';

/** Requests that may be taken in so at once. Of a crowd the others queue: those that have begun need the database as well. */
const AT_ONCE = 4;

interface Surroundings {
  /** Whether one more segment may begin here, and none waits in the queue for a place. */
  readonly mayBegin: () => boolean;
  readonly begin: (claimed: ClaimedSegment, token: string) => Promise<void>;
  /** What was claimed under this token is to be looked for in the queue's table. */
  readonly doubt: (token: string) => void;
}

/** The places of this process that requests hold while they are taken in. */
export interface PlaceReservations {
  reserve(): Reservation | null;
  /** What the enqueue of a reservation left in the engine's table. */
  keep(reservation: Reservation, claimed: ClaimedSegment): void;
  count(): number;
}

export function createPlaceReservations({ mayBegin, begin, doubt }: Surroundings): PlaceReservations {
  const held = new Map<string, ClaimedSegment | null>();
  return {
    count: () => held.size,
    keep({ token }, claimed) {
      held.set(token, claimed);
    },
    reserve() {
      if (held.size >= AT_ONCE || !mayBegin()) return null;
      const token = randomUUID();
      held.set(token, null);
      return {
        token,
        async begin() {
          const claimed = held.get(token);
          try {
            if (!claimed) throw new Error('The segment was not enqueued under this reservation.');
            await begin(claimed, token);
          } catch (error) {
            doubt(token);
            throw error;
          } finally {
            held.delete(token);
          }
        },
        release: () => void held.delete(token),
        doubt() {
          held.delete(token);
          doubt(token);
        },
      };
    },
  };
}
