/** Stands for all values that have no series of their own. */
export const OTHER = 'other';

const MAX_LENGTH = 100;

/**
 * Values of a label that tenants name: the first so many have a series of their own, all later ones share `other`. Whatever
 * is called what, a scraper and this process hold so many series and no more.
 */
export class BoundedLabel {
  readonly #most: number;
  readonly #known = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  of(value: string): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= this.#most || value.length > MAX_LENGTH) return OTHER;
    this.#known.add(value);
    return value;
  }
}
