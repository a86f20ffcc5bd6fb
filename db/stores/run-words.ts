import { withoutPersonalData } from '#lib/audit/index.ts';
import { scanTokens, tokenize } from '#lib/capabilities/index.ts';
import { storableText } from '#lib/kernel/index.ts';

/** What of a message is looked at, and how many words of it are kept: enough to find it again. */
const INDEXED_CHARACTERS = 8_000;
const INDEXED_WORDS = 256;
/** More words in a query find nothing more and cost a look each. */
const QUERY_WORDS = 12;

/** The words a run is found by. What is personal in the message is not among them: a search must not tell who holds a number. */
export function wordsOfMessage(text: string): string[] {
  return [...new Set(tokenize(withoutPersonalData(text.slice(0, INDEXED_CHARACTERS))))].slice(0, INDEXED_WORDS);
}

export interface WordQuery {
  readonly words: readonly { readonly text: string; readonly isBeginning: boolean }[];
  /** Something was asked for, and none of it is a word that runs are found by. */
  readonly isHopeless: boolean;
}

/** The words to look up. The last one may be the beginning of a longer one: somebody is still typing it. */
export function wordsOfQuery(text: string): WordQuery {
  const tokens = scanTokens(storableText(text).normalize('NFKC'));
  const telling = tokens.some(({ kind }) => kind !== 'character') ? tokens.filter(({ kind }) => kind !== 'character') : tokens;
  const words = new Map<string, boolean>();
  for (const token of telling) {
    const isLast = token === telling.at(-1) && token.kind === 'word' && /\p{L}$/u.test(text);
    words.set(token.text, isLast && (words.get(token.text) ?? true));
  }
  const chosen = [...words].slice(0, QUERY_WORDS).map(([word, isBeginning]) => ({ text: word, isBeginning }));
  return { words: chosen, isHopeless: text.trim() !== '' && chosen.length === 0 };
}
