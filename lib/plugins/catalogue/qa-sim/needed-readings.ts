import type { JsonObject } from '#lib/kernel/index.ts';
import type { Period } from '../figures/period.ts';
import type { Ask, Subject } from './question.ts';

/** One set of figures that the answer needs: a capability call (the Data stage makes each once). */
export interface NeededReading {
  readonly key: string;
  readonly capabilityId: string;
  readonly arguments: JsonObject;
  readonly rationale: string;
}

export const CAPABILITY_OF: { readonly [S in Subject]: string } = {
  runs: 'qa_sim.runs',
  calls: 'qa_sim.calls',
  members: 'qa_sim.members',
  documents: 'qa_sim.documents',
  capabilities: 'qa_sim.capabilities',
  usage: 'qa_sim.usage',
};

/** The readings behind the asks, each once, in the order in which they are first needed. */
export function neededReadings(asks: readonly Ask[]): NeededReading[] {
  const needed = asks.flatMap((ask) => {
    const main = readingOf(ask, ask.period);
    const before = isComparable(ask) && ask.comparedWith ? [readingOf(ask, ask.comparedWith)] : [];
    return [main, ...before];
  });
  return [...new Map(needed.map((reading) => [reading.key, reading])).values()];
}

export function readingKey(ask: Ask, period: Period): string {
  return readingOf(ask, period).key;
}

/** A figure over a stretch of time can be set against the stretch before; a standing one, or a ranking, cannot. */
export function isComparable(ask: Ask): boolean {
  if (ask.by !== null || ask.measure === 'latest') return false;
  if (ask.subject === 'members' || ask.subject === 'documents') return isOfPeriod(ask);
  return ask.subject !== 'capabilities' && ask.filter !== 'running' && ask.filter !== 'waiting';
}

/** Members and documents are counted as they are now, unless those that came in a period are asked for. */
export function isOfPeriod(ask: Ask): boolean {
  return (ask.filter === 'added' || ask.filter === 'changed') && ask.period.from !== null;
}

function readingOf(ask: Ask, period: Period): NeededReading {
  const capabilityId = CAPABILITY_OF[ask.subject];
  const isTimed = ask.subject !== 'capabilities';
  const args: JsonObject = {
    ...(isTimed && period.from !== null && { from: period.from }),
    ...(isTimed && period.to !== null && { to: period.to }),
    ...(ask.isMine && isPersonal(ask.subject) && { mine: true }),
  };
  return {
    key: `${capabilityId}?${JSON.stringify(args)}`,
    capabilityId,
    arguments: args,
    rationale: `figures of ${ask.subject}${period.from || period.to ? `, ${period.from ?? '…'} to ${period.to ?? 'now'}` : ''}`,
  };
}

function isPersonal(subject: Subject): boolean {
  return subject === 'runs' || subject === 'calls' || subject === 'usage';
}
