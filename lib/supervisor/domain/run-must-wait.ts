import type { Question } from './run.ts';

/**
 * A run must wait: thrown through the graph so that finished siblings keep their records. null: for decisions about calls,
 * which `RunConsent` has kept, or for tasks that it has handed on.
 */
export class RunMustWait extends Error {
  readonly question: Question | null;

  constructor(question: Question | null) {
    super(question ? 'The run waits for an answer.' : 'The run waits for a decision or for its tasks.');
    this.name = 'RunMustWait';
    this.question = question;
  }
}
