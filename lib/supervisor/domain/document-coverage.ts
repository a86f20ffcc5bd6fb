import { contains, type Span, type Token } from '#lib/capabilities/index.ts';

/** Which words of the message the tenant's documents have, and which of them together in one passage. */
export interface DocumentEvidence {
  readonly passageCount: number;
  /** Token -> number of passages that have it; absent means none. */
  readonly frequency: ReadonlyMap<string, number>;
  /** The passages that have the most of the message, each as the tokens it has. */
  readonly passages: readonly ReadonlySet<string>[];
}

export interface Coverage {
  /** 0 to 1: how much of the clause the best passage has, rare words counting most. */
  readonly share: number;
  /** 0 to 1: how telling the words it has are; one common word is not, several or a rare one are. */
  readonly substance: number;
  /** The tokens of the clause that it has. */
  readonly tokens: readonly Token[];
}

/** How much of a clause stands together in one passage of the documents. `importanceOf` weighs each word, 0 to 1. */
export function coverClause(
  evidence: DocumentEvidence,
  tokens: readonly Token[],
  clause: Span,
  importanceOf: (token: Token) => number,
): Coverage {
  const inside = tokens.filter((token) => contains(clause, token) && token.kind !== 'number' && token.kind !== 'character');
  const weights = new Map(inside.map((token) => [token.text, weightOf(evidence, token) * importanceOf(token)]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  let best: { share: number; passage: ReadonlySet<string> } = { share: 0, passage: new Set() };
  for (const passage of evidence.passages) {
    const share = total === 0 ? 0 : [...weights].reduce((sum, [text, weight]) => sum + (passage.has(text) ? weight : 0), 0) / total;
    if (share > best.share) best = { share, passage };
  }
  const mass = [...weights].reduce((sum, [text, weight]) => sum + (best.passage.has(text) ? weight : 0), 0);
  return {
    share: best.share,
    substance: 1 - Math.exp(-mass / TELLING_MASS),
    tokens: inside.filter((token) => best.passage.has(token.text)),
  };
}

/** In the units of `weightOf`: a word in every tenth passage weighs about this. */
const TELLING_MASS = 2.4;

/** As `inverseFrequency` of BM25. A pair that spans two words is in no document, which says little against one. */
function weightOf(evidence: DocumentEvidence, token: Token): number {
  const frequency = evidence.frequency.get(token.text) ?? 0;
  const weight = Math.log(1 + (evidence.passageCount - frequency + 0.5) / (frequency + 0.5));
  if (token.kind === 'lone') return weight * 0.5;
  return token.kind === 'pair' && frequency === 0 ? weight * 0.4 : weight;
}
