import { contains, type Span, type Token } from '#lib/capabilities/index.ts';
import type { CharacterMask } from './character-mask.ts';
import { coverClause, type DocumentEvidence } from './document-coverage.ts';
import type { TopicMatch } from './ontology-topics.ts';

/** What speaks for the tenant's documents as the answer to a clause. */
export interface SubjectEvidence {
  /** 0 to 1. */
  readonly weight: number;
  /** The words the documents have. */
  readonly spans: readonly Span[];
  readonly words: readonly string[];
}

const TOPIC_IN_QUESTION = 0.7;
const TOPIC_IN_STATEMENT = 0.45;
const PASSAGE_IN_QUESTION = 0.9;
const PASSAGE_IN_STATEMENT = 0.45;
/** What is left of a word's weight when it is another capability's own: "time" stands in many documents too. */
const CLAIMED_SHARE = 0.3;
/** A passage with this much of a clause confirms what the headings promise. */
const CONFIRMING_SHARE = 0.6;

/**
 * Weighs the documents for a clause: the topics of the one document that fits best, and, when the documents themselves were
 * looked into, how much of the clause stands together in one passage. A question is more likely meant for them.
 */
export function weighSubject(
  context: {
    readonly tokens: readonly Token[];
    readonly topics: readonly TopicMatch[];
    readonly documents: DocumentEvidence | null;
    /** Where the message uses words by which other capabilities are asked for: they speak less for the documents. */
    readonly claimed: CharacterMask;
  },
  clause: Span,
  isQuestion: boolean,
): SubjectEvidence {
  const isClaimed = (span: Span) => context.claimed.lowest(span) > 0;
  const topics = bestLine(
    context.topics
      .filter((topic) => contains(clause, topic))
      .map((topic) => (isClaimed(topic) ? { ...topic, weight: topic.weight * CLAIMED_SHARE } : topic)),
  );
  const coverage =
    context.documents && coverClause(context.documents, context.tokens, clause, (token) => (isClaimed(token) ? CLAIMED_SHARE : 1));
  const confirmation = coverage ? Math.min(1, coverage.share / CONFIRMING_SHARE) : 1;
  const doubt = topics.reduce(
    (product, topic) =>
      product * (1 - topic.weight * (isQuestion ? TOPIC_IN_QUESTION : TOPIC_IN_STATEMENT) * (topic.isTitle ? 1 : confirmation)),
    1,
  );
  if (!coverage) return { weight: 1 - doubt, spans: topics, words: telling(topics) };
  const passageWeight = coverage.share * coverage.substance * (isQuestion ? PASSAGE_IN_QUESTION : PASSAGE_IN_STATEMENT);
  return {
    weight: 1 - (1 - passageWeight) * doubt,
    spans: [...topics, ...coverage.tokens],
    words: telling([...topics, ...coverage.tokens]),
  };
}

function bestLine(topics: readonly TopicMatch[]): TopicMatch[] {
  const lines = [...Map.groupBy(topics, (topic) => topic.line).values()];
  return lines.sort((a, b) => totalWeight(b) - totalWeight(a))[0] ?? [];
}

function totalWeight(topics: readonly TopicMatch[]): number {
  return topics.reduce((sum, topic) => sum + topic.weight, 0);
}

/** Whole words and pairs; single Chinese characters tell a reader nothing. */
function telling(matches: readonly { readonly text: string }[]): string[] {
  return [...new Set(matches.map((match) => match.text).filter((text) => [...text].length > 1))];
}
