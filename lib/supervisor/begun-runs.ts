import type { RunRecords } from './ports.ts';

/** Runs whose beginning was committed with their message, until this process drives them: they need not be read again. */
export class BegunRuns {
  readonly #byToken = new Map<string, RunRecords>();

  /** @param token of the reservation, which the drive's claim has too */
  keep(token: string, records: RunRecords): void {
    this.#byToken.set(token, records);
  }

  /** Once: a drive that is tried again asks the records what is missing. */
  take(token: string): RunRecords | null {
    const records = this.#byToken.get(token) ?? null;
    this.#byToken.delete(token);
    return records;
  }
}
