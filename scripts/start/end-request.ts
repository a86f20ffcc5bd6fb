/** The wish to end this process, told by a signal. */
export interface EndRequest {
  /** Aborted at the first signal. */
  readonly asked: AbortSignal;
  /** Aborted when there is no time for good manners: a second signal, or nobody is left who waits. */
  readonly hurried: AbortSignal;
  /** The same as `work`, but rejects with `Ended` as soon as the end is asked for. */
  unlessAsked<Result>(work: Promise<Result>): Promise<Result>;
}

/** Thrown out of a step that the end was asked for in. */
export class Ended extends Error {
  constructor() {
    super('ended on request');
    this.name = 'Ended';
  }
}

/** One Ctrl-C may arrive twice, from the terminal and from npm: what follows this closely is the same wish. */
const SAME_WISH_MS = 1_000;

/** Listens for SIGINT and SIGTERM from now on: neither ends the process by itself any more. */
export function listenForEnd(): EndRequest {
  const asked = new AbortController();
  const hurried = new AbortController();
  let askedAt = 0;
  const ask = () => {
    if (!asked.signal.aborted) {
      askedAt = Date.now();
      asked.abort();
      // The pipe from the starter is closed: it was killed.
      if (process.stdin.readableEnded) hurried.abort();
    } else if (Date.now() - askedAt > SAME_WISH_MS) {
      hurried.abort();
    }
  };
  process.on('SIGINT', ask).on('SIGTERM', ask);
  const end = new Promise<never>((_, reject) => {
    asked.signal.addEventListener('abort', () => reject(new Ended()));
  });
  end.catch(() => {});
  return { asked: asked.signal, hurried: hurried.signal, unlessAsked: (work) => Promise.race([work, end]) };
}
