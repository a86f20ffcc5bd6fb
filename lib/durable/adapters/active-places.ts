/**
 * How many segments may be at work in this process at once (requirement H-25). Who comes when all places are taken waits for
 * one, in the order of coming.
 */
export interface ActivePlaces {
  enter(): Promise<Disposable>;
  /** The limit may have grown. */
  look(): void;
  /** Places that are taken. */
  count(): number;
}

/** @param limit is asked anew each time: it changes with the number of processes. Below 1 it keeps nobody out. */
export function createActivePlaces(limit: () => number): ActivePlaces {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function isFree(): boolean {
    const places = limit();
    return places < 1 || taken < places;
  }

  function look(): void {
    while (waiting.length > 0 && isFree()) {
      taken += 1;
      waiting.shift()?.();
    }
  }

  return {
    async enter() {
      if (waiting.length === 0 && isFree()) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return {
        [Symbol.dispose]() {
          taken -= 1;
          look();
        },
      };
    },
    look,
    count: () => taken,
  };
}
