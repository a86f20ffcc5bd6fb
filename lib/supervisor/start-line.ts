/**
 * How many runs of a process begin at a time: take up their records, gather their context, call a model. Of a crowd that
 * comes at once the first then have their first word while the last still wait, instead of all late together.
 */
export class StartLine {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves in the order of the calls. Disposing of the place twice is harmless. */
  async enter(): Promise<Disposable> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#free += 1;
      },
    };
  }
}
