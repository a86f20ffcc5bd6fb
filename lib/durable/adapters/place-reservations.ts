import { randomUUID } from 'node:crypto';
import type { Reservation } from '../ports.ts';

/** Requests that may be taken in so at once. Of a crowd the others queue: those that have begun need the database as well. */
const AT_ONCE = 4;

interface Surroundings<Enqueued> {
  /** Whether one more segment may begin here, and none waits in the queue for a place. */
  readonly mayBegin: () => boolean;
  readonly begin: (enqueued: Enqueued, token: string) => Promise<void>;
  /** What was claimed under this token is to be looked for in the queue's table. */
  readonly doubt: (token: string) => void;
}

/** The places of this process that requests hold while they are taken in. */
export interface PlaceReservations<Enqueued> {
  reserve(): Reservation | null;
  /** What was enqueued under a reservation. */
  keep(reservation: Reservation, enqueued: Enqueued): void;
  count(): number;
}

export function createPlaceReservations<Enqueued>({ mayBegin, begin, doubt }: Surroundings<Enqueued>): PlaceReservations<Enqueued> {
  const held = new Map<string, Enqueued | null>();
  return {
    count: () => held.size,
    keep({ token }, enqueued) {
      held.set(token, enqueued);
    },
    reserve() {
      if (held.size >= AT_ONCE || !mayBegin()) return null;
      const token = randomUUID();
      held.set(token, null);
      return {
        token,
        async begin() {
          const enqueued = held.get(token) ?? null;
          try {
            if (enqueued === null) throw new Error('The segment was not enqueued under this reservation.');
            await begin(enqueued, token);
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
