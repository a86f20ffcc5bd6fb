/** One check in the code, and the tests that fail when it is gone. */
export interface Guard {
  readonly id: string;
  /** The promise that the check keeps, in a sentence. */
  readonly guards: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  /** What stands in its place when the check is gone; the file must still compile. */
  readonly replace: string;
  /** Test files, named as vitest takes them. */
  readonly tests: readonly string[];
  /** A part of the titles of the tests that must notice, where the rest of their files would take long. A regular expression. */
  readonly only?: string;
}

/** The text without the check. Throws unless the check stands there exactly once: a list that has gone stale proves nothing. */
export function removeGuard(guard: Guard, text: string): string {
  const places = text.split(guard.find).length - 1;
  if (places !== 1) throw new Error(`the text to find stands ${places} times in ${guard.file}`);
  return text.replace(guard.find, () => guard.replace);
}
