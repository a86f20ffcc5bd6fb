import type { Application } from './application.ts';

declare global {
  var bailiwick: Application | undefined;
}

/**
 * The running application. `instrumentation.ts` builds it once a process and puts it here: route handlers and pages live in
 * bundles of their own and must not evaluate the engine a second time.
 */
export function application(): Application {
  if (!globalThis.bailiwick) throw new Error('The application has not started: instrumentation.ts builds it.');
  return globalThis.bailiwick;
}

export type { Application } from './application.ts';
