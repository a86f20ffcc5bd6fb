import type { Period } from '../figures/period.ts';

/** What can be asked about. */
export type Subject = 'runs' | 'calls' | 'members' | 'documents' | 'capabilities' | 'usage';

/**
 * What is asked of it. `share`: in percent of all; `top`: the parts with most or least; `parts`: all of them; `people`: how
 * many took part; `latest`: the newest of them.
 */
export type Measure = 'count' | 'share' | 'average' | 'top' | 'parts' | 'people' | 'latest' | 'tokens' | 'cost';

export type Filter = 'failed' | 'succeeded' | 'cancelled' | 'timed-out' | 'running' | 'waiting' | 'added' | 'changed';

export type Grouping = 'capability' | 'person' | 'preset' | 'day' | 'role' | 'language' | 'domain' | 'model' | 'error' | 'state';

/** What the parts are ordered by, where it is not how many there are. */
export type Metric = 'total' | 'failed' | 'duration';

/** One thing that a message asks for: a small query over the workspace's records. */
export interface Ask {
  readonly subject: Subject;
  readonly measure: Measure;
  readonly filter: Filter | null;
  readonly by: Grouping | null;
  readonly metric: Metric;
  readonly order: 'most' | 'least';
  /** Of the person's own runs only. */
  readonly isMine: boolean;
  /** Of the calls, those of one capability. */
  readonly capabilityId: string | null;
  /** Of the members, those with one role. */
  readonly role: string | null;
  readonly period: Period;
  /** What it is to be compared with, as the message says or as is fair; null where nothing comes before. */
  readonly comparedWith: Period | null;
  /** Asked for in so many words. */
  readonly isComparison: boolean;
}

/** What the Intent stage makes of a message. */
export interface Question {
  readonly kind: 'task' | 'help' | 'clarify' | 'unsupported';
  readonly asks: readonly Ask[];
  /** 0 to 1. */
  readonly confidence: number;
  /** What in the message led to it: `runs: 运行`. */
  readonly evidence: readonly string[];
}
