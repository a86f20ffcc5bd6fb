import type { CapabilityMetadata } from '../domain/capability.ts';
import { foldText, isWordBoundary, type Span } from '../domain/folded-text.ts';
import { isOneTypoAway } from './edit-distance.ts';
import { scanTokens, type Token } from './tokenizer.ts';

/** Where in a capability's description a word stands; the weight says how much it tells. */
const FIELD_WEIGHTS = { keyword: 1, title: 0.85, 'part of a keyword': 0.6, domain: 0.5, example: 0.45, description: 0.4 } as const;
export type Field = keyof typeof FIELD_WEIGHTS;

/** A word of the request that a capability knows. */
export interface TermMatch extends Span {
  readonly term: string;
  readonly field: Field;
  /** 0 to 1: how much it speaks for the capability, rarity included. */
  readonly weight: number;
}

/** A catalogue made ready for discovery; see `indexCapabilities`. */
export interface CapabilityIndex {
  readonly capabilities: readonly CapabilityMetadata[];
  /** The matches of each capability in a text, in the order of `capabilities`. */
  match(text: string, tokens: readonly Token[]): TermMatch[][];
}

interface CapabilityTerms {
  /** Words as they are spelt -> their tokens, for slips of the keyboard. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Token -> the best field it stands in. */
  readonly tokens: ReadonlyMap<string, Field>;
  /** Keywords of more than one word, as said. */
  readonly phrases: readonly string[];
}

const termsOf = new WeakMap<CapabilityMetadata, CapabilityTerms>();

/** Indexes a catalogue. What is derived from one capability is remembered, so that doing it again costs little. */
export function indexCapabilities(capabilities: readonly CapabilityMetadata[]): CapabilityIndex {
  const terms = capabilities.map(readTerms);
  const postings = new Map<string, { readonly capability: number; readonly field: Field }[]>();
  const phrases = new Map<string, number[]>();
  const spellings = new Map<string, string>(terms.flatMap((entry) => [...entry.spellings]));
  terms.forEach((entry, capability) => {
    for (const [token, field] of entry.tokens) postings.set(token, [...(postings.get(token) ?? []), { capability, field }]);
    for (const phrase of entry.phrases) phrases.set(phrase, [...(phrases.get(phrase) ?? []), capability]);
  });
  const rarityOf = (owners: number) => Math.log(1 + capabilities.length / owners) / Math.log(1 + capabilities.length);
  return {
    capabilities,
    match(text, tokens) {
      const matches: TermMatch[][] = capabilities.map(() => []);
      const folded = foldText(text);
      for (const [phrase, owners] of phrases) {
        for (const span of findPhrase(folded, phrase)) {
          for (const owner of owners)
            matches[owner]?.push({ ...span, term: phrase, field: 'keyword', weight: PHRASE_WEIGHT * rarityOf(owners.length) });
        }
      }
      let typosLeft = TYPO_LIMIT;
      for (const token of tokens) {
        const exact = postings.get(token.text);
        const known = exact ? token.text : typosLeft > 0 ? closestTerm(token, folded.slice(token.start, token.end), spellings) : null;
        if (!exact) typosLeft -= 1;
        const owners = known === null ? [] : (postings.get(known) ?? []);
        // Whoever has a word only in an example shares it less.
        const rarity = rarityOf(
          Math.max(
            1,
            owners.reduce((sum, owner) => sum + FIELD_WEIGHTS[owner.field], 0),
          ),
        );
        for (const { capability, field } of owners) {
          const weight = TOKEN_WEIGHT * FIELD_WEIGHTS[field] * KIND_WEIGHTS[token.kind] * rarity * (exact ? 1 : TYPO_WEIGHT);
          matches[capability]?.push({ start: token.start, end: token.end, term: known ?? token.text, field, weight });
        }
      }
      return matches;
    },
  };
}

const TOKEN_WEIGHT = 0.8;
const PHRASE_WEIGHT = 0.85;
const TYPO_WEIGHT = 0.85;
/** A single Chinese character is part of many words, less so when it stands alone. Numbers name nothing. */
const KIND_WEIGHTS: Readonly<Record<Token['kind'], number>> = { word: 1, pair: 0.9, lone: 0.3, character: 0.12, number: 0.1 };
/** Unknown words beyond this many are not compared with the vocabulary. */
const TYPO_LIMIT = 40;

function readTerms(capability: CapabilityMetadata): CapabilityTerms {
  const known = termsOf.get(capability);
  if (known) return known;
  const tokens = new Map<string, Field>();
  const spellings = new Map<string, string>();
  const add = (text: string, field: Field) => {
    const folded = foldText(text);
    for (const { text: token, kind, start, end } of scanTokens(text)) {
      if (kind === 'word') spellings.set(folded.slice(start, end), token);
      const present = tokens.get(token);
      if (present === undefined || FIELD_WEIGHTS[field] > FIELD_WEIGHTS[present]) tokens.set(token, field);
    }
  };
  for (const keyword of capability.keywords) add(keyword, isPhrase(keyword) ? 'part of a keyword' : 'keyword');
  for (const text of Object.values(capability.title)) add(text, 'title');
  for (const example of capability.examples) for (const text of Object.values(example)) add(text, 'example');
  for (const text of Object.values(capability.description)) add(text, 'description');
  add(capability.domain.replaceAll(/[._-]/g, ' '), 'domain');
  const phrases = [...new Set(capability.keywords.map((keyword) => foldText(keyword).trim()))].filter((keyword) =>
    / |\p{Script=Han}{2}|'/u.test(keyword),
  );
  const terms = { tokens, phrases, spellings };
  termsOf.set(capability, terms);
  return terms;
}

/** More than one word: a part of it alone says less. */
function isPhrase(keyword: string): boolean {
  return scanTokens(keyword).filter((token) => token.kind === 'word' || token.kind === 'pair').length > 1 || /[a-z].* |'/iu.test(keyword);
}

function findPhrase(folded: string, phrase: string): Span[] {
  const spans: Span[] = [];
  for (let start = folded.indexOf(phrase); start !== -1 && spans.length < 8; start = folded.indexOf(phrase, start + phrase.length)) {
    const end = start + phrase.length;
    if (isWordBoundary(folded[start - 1], folded[start]) && isWordBoundary(folded[end - 1], folded[end])) spans.push({ start, end });
  }
  return spans;
}

/** A known word one slip of the keyboard away, the first letter right. Short words are too close to each other to guess. */
function closestTerm(token: Token, spelling: string, spellings: ReadonlyMap<string, string>): string | null {
  if (token.kind !== 'word' || spelling.length < 5) return null;
  for (const [known, term] of spellings) {
    if (known[0] === spelling[0] && isOneTypoAway(spelling, known)) return term;
  }
  return null;
}
