import { scanTokens, type Span, type Token } from '#lib/capabilities/index.ts';

/** A word of the message that the tenant's documents are about. `weight` 0 to 1. */
export interface TopicMatch extends Span {
  readonly text: string;
  readonly weight: number;
}

export interface OntologyTopics {
  readonly matches: readonly TopicMatch[];
}

/**
 * Finds the topics of an ontology summary (one line a document, `title: section, section`) in a message. A title tells
 * more than a section; a word in many of the lines (opening hours, booking) tells less.
 */
export function matchTopics(ontologySummary: string, tokens: readonly Token[]): OntologyTopics {
  const topics = readTopics(ontologySummary);
  return {
    matches: tokens.flatMap((token) => {
      const topic = token.kind === 'number' ? undefined : (topics.get(token.text) ?? findClipped(token, topics));
      if (!topic) return [];
      const kind = token.kind === 'word' ? 1 : token.kind === 'pair' ? 0.9 : 0.1;
      return [{ start: token.start, end: token.end, text: token.text, weight: kind * (topic.isTitle ? 1 : 0.7) * (topic.lines <= 2 ? 1 : 0.6) }];
    }),
  };
}

/** Long words are said short: dorm, exam, admin. */
function findClipped(token: Token, topics: Topics): Topic | undefined {
  if (token.kind !== 'word' || token.text.length < 4) return undefined;
  for (const [word, topic] of topics) if (word.length >= token.text.length + 3 && word.startsWith(token.text)) return topic;
  return undefined;
}

interface Topic {
  readonly isTitle: boolean;
  readonly lines: number;
}
type Topics = ReadonlyMap<string, Topic>;

/** As much of a summary as is read: it is made by us and bounded, but may be edited. */
const SUMMARY_WINDOW = 20_000;

const remembered = new Map<string, Topics>();

function readTopics(summary: string): Topics {
  const known = remembered.get(summary);
  if (known) return known;
  const topics = new Map<string, Topic>();
  for (const line of summary.slice(0, SUMMARY_WINDOW).split('\n')) {
    const colon = line.search(/[:：]/);
    const titles = new Set(scanTokens(colon === -1 ? line : line.slice(0, colon)).map((token) => token.text));
    for (const token of new Set(scanTokens(line).map((entry) => entry.text))) {
      const topic = topics.get(token);
      topics.set(token, { isTitle: (topic?.isTitle ?? false) || titles.has(token), lines: (topic?.lines ?? 0) + 1 });
    }
  }
  // A handful of tenants are active in a process at a time.
  if (remembered.size >= 64) remembered.clear();
  remembered.set(summary, topics);
  return topics;
}
