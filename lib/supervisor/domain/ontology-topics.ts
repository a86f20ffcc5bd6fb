import { type Span, scanTokens, type Token } from '#lib/capabilities/index.ts';

/** A word of the message that one of the tenant's documents is about, as its title or section headings say, or that is a term here. */
export interface TopicMatch extends Span {
  readonly text: string;
  /** Which document, by its line in the summary. */
  readonly line: number;
  /** It is in the document's title, not only in a heading. */
  readonly isTitle: boolean;
  /** 0 to 1. */
  readonly weight: number;
}

/**
 * Finds the topics of an ontology summary (one line a document, `title: section, section`, or a term, `term: synonyms = meaning`) in a
 * message. A title tells
 * more than a section; a word in many of the lines (opening hours, booking) tells less.
 */
export function matchTopics(ontologySummary: string, tokens: readonly Token[]): TopicMatch[] {
  const topics = readTopics(ontologySummary);
  return tokens.flatMap((token) => {
    const places = token.kind === 'number' ? [] : (topics.get(token.text) ?? findClipped(token, topics));
    const kind = { word: 1, pair: 0.9, lone: 0.3, character: 0.1, number: 0 }[token.kind];
    const commonness = places.length <= 2 ? 1 : 0.6;
    return places.map(({ line, isTitle }) => ({
      start: token.start,
      end: token.end,
      text: token.text,
      line,
      isTitle,
      weight: kind * commonness * (isTitle ? 1 : 0.7),
    }));
  });
}

interface Place {
  readonly line: number;
  readonly isTitle: boolean;
}
type Topics = ReadonlyMap<string, readonly Place[]>;

/** Long words are said short: dorm, exam, admin. */
function findClipped(token: Token, topics: Topics): readonly Place[] {
  if (token.kind !== 'word' || token.text.length < 4) return [];
  for (const [word, places] of topics) if (word.length >= token.text.length + 2 && word.startsWith(token.text)) return places;
  return [];
}

/** As much of a summary as is read: it is made by us and bounded, but may be edited. */
const SUMMARY_WINDOW = 20_000;

const remembered = new Map<string, Topics>();

function readTopics(summary: string): Topics {
  const known = remembered.get(summary);
  if (known) return known;
  const topics = new Map<string, Place[]>();
  for (const [line, whole] of summary.slice(0, SUMMARY_WINDOW).split('\n').entries()) {
    // What follows explains: a meaning has many words that the term is not about.
    const text = whole.split(/(?:^|\s)= /, 1)[0] ?? '';
    const colon = text.search(/[:：]/);
    const titles = new Set(scanTokens(colon === -1 ? text : text.slice(0, colon)).map((token) => token.text));
    for (const token of new Set(scanTokens(text).map((entry) => entry.text))) {
      topics.set(token, [...(topics.get(token) ?? []), { line, isTitle: titles.has(token) }]);
    }
  }
  // A handful of tenants are active in a process at a time.
  if (remembered.size >= 64) remembered.clear();
  remembered.set(summary, topics);
  return topics;
}
