import type { Question } from './run.ts';

/** A run must wait: thrown through the graph so that finished siblings keep their records. */
export class RunMustWait extends Error {
  readonly question: Question;

  constructor(question: Question) {
    super('The run waits for an answer.');
    this.name = 'RunMustWait';
    this.question = question;
  }
}
