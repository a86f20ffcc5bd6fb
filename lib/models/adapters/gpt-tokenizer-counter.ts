import { estimateTokens, type TokenCounter } from '../domain/estimate-tokens.ts';
import type { ModelSpec } from '../domain/model-spec.ts';
import type { TokenCounters } from '../ports.ts';

type Vocabulary = 'o200k' | 'cl100k';

/**
 * OpenAI's own vocabularies, where the model is one of theirs. One takes 75 MB and a fifth of a second to load, so it is
 * asked for only where an estimate is near a limit, loaded once, and estimated without until it is there.
 */
export function createGptTokenizerCounters(): TokenCounters {
  const loaded = new Map<Vocabulary, Promise<TokenCounter>>();
  return {
    async exact(spec) {
      const vocabulary = vocabularyOf(spec);
      if (vocabulary === null) return null;
      const counter = loaded.get(vocabulary) ?? load(vocabulary);
      loaded.set(vocabulary, counter);
      return counter;
    },
  };
}

function vocabularyOf({ model }: ModelSpec): Vocabulary | null {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  if (/^(gpt-4o|gpt-4\.|gpt-5|gpt-oss|chatgpt-4o|o[134](-|$))/.test(name)) return 'o200k';
  return /^(gpt-4|gpt-3\.5)/.test(name) ? 'cl100k' : null;
}

async function load(vocabulary: Vocabulary): Promise<TokenCounter> {
  const { countTokens } =
    vocabulary === 'o200k' ? await import('gpt-tokenizer/encoding/o200k_base') : await import('gpt-tokenizer/encoding/cl100k_base');
  // Somebody may write `<|endoftext|>`, and it is text.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => {
    if (text.length > LONGEST) return estimateTokens(text);
    if (!LONG_RUN.test(text)) return countTokens(text, asText);
    return (text.match(WORDS) ?? []).reduce((sum, word) => sum + countTokens(word, asText), 0);
  };
}

/** What is so far beyond most windows need not be counted exactly, and would hold up everybody else for a second. */
const LONGEST = 2_000_000;
/** The library's time grows with the square of an unbroken run: those are cut, which costs at most a token a cut. */
const LONG_RUN = /\S{257}/u;
const WORDS = /\s*\S{1,256}|\s+$/gu;
