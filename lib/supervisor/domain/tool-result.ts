import type { Json, JsonObject } from '#lib/kernel/index.ts';

/** What a model is shown of one result by default (requirement H-35). */
export const RESULT_TOKENS = 2_000;

/** Letters of a base64 text this long are no word of any language. */
const BINARY = /(?:data:[\w.+-]+\/[\w.+-]+;base64,)?[A-Za-z0-9+/_-]{800,}={0,2}/g;
/** No tokenizer makes fewer tokens of a text than one for so many characters. */
const CHARACTERS_PER_TOKEN = 40;
/** How a value is made smaller, step by step: characters of a text, entries of a list. */
const CORES = [
  { characters: 2_000, entries: 50 },
  { characters: 600, entries: 20 },
  { characters: 200, entries: 8 },
  { characters: 80, entries: 3 },
] as const;

/**
 * A tool's result as a model reads it: binaries are named and left out, and what is longer than `limit` tokens is cut to its
 * core, with a note that the whole is kept (requirement H-35, known fault K8). JSON keeps its shape with long lists and texts
 * shortened; of any other text the beginning and the end stand. The same text is cut the same way each time.
 */
export function resultForModel(
  text: string,
  { limit = RESULT_TOKENS, countTokens }: { limit?: number; countTokens: (text: string) => number },
): string {
  const plain = withoutBinaries(text);
  const isLong = plain.length > limit * CHARACTERS_PER_TOKEN || countTokens(plain) > limit;
  if (!isLong) return plain;
  const core = coreOfJson(plain, (shorter) => countTokens(shorter) <= limit) ?? endsOf(plain, limit, countTokens);
  return `${core}\n\n[Cut: ${plain.length.toLocaleString('en')} characters are more than is shown here. The whole result is kept with this call; people can open it. If the rest matters, ask for less at a time.]`;
}

/** A result as it stands in the run's log, which every reader of the run is sent: what is too long is shortened there. */
export function resultForLog(output: JsonObject, limitCharacters: number): JsonObject {
  const whole = JSON.stringify(output);
  if (whole.length <= limitCharacters) return output;
  for (const size of CORES) {
    const core = coreOf(output, size) as JsonObject;
    if (JSON.stringify(core).length <= limitCharacters) return core;
  }
  return { cut: `${whole.slice(0, 1_000)}…` };
}

function withoutBinaries(text: string): string {
  return text.replace(BINARY, (binary) => `[binary data, ${Math.ceil((binary.length * 3) / 4 / 1024)} KiB, left out]`);
}

/** The smallest cut of a JSON text that fits; null for any other text, or where none does. */
function coreOfJson(text: string, fits: (shorter: string) => boolean): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // It only looked like JSON.
    return null;
  }
  for (const size of CORES) {
    const shorter = JSON.stringify(coreOf(value, size));
    if (fits(shorter)) return shorter;
  }
  return null;
}

function coreOf(value: Json | undefined, size: (typeof CORES)[number]): Json {
  if (typeof value === 'string')
    return value.length > size.characters ? `${headOf(value, size.characters)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) {
    const shown = value.slice(0, size.entries).map((entry: Json) => coreOf(entry, size));
    return value.length > size.entries ? [...shown, `… ${value.length - size.entries} more`] : shown;
  }
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value);
  const shown = entries.slice(0, size.entries).map(([key, entry]) => [key, coreOf(entry, size)] as const);
  return Object.fromEntries(entries.length > size.entries ? [...shown, ['…', `${entries.length - size.entries} more`]] : shown);
}

/** Two thirds of the room for the beginning, a third for the end: what a text is about, and what it comes to. */
function endsOf(text: string, limit: number, countTokens: (text: string) => number): string {
  const head = fitting(limit * (2 / 3), (characters) => headOf(text, characters), countTokens);
  const tail = fitting(limit / 3, (characters) => tailOf(text, characters), countTokens);
  return `${head}\n\n[…]\n\n${tail}`;
}

function fitting(tokens: number, take: (characters: number) => string, countTokens: (text: string) => number): string {
  let characters = Math.floor(tokens * 6);
  for (;;) {
    const part = take(characters);
    const count = countTokens(part);
    if (count <= tokens || characters < 2) return part;
    characters = Math.floor(characters * Math.min(0.95, tokens / count));
  }
}

/** Never half of a character that takes two units. */
function headOf(text: string, characters: number): string {
  return text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
}

function tailOf(text: string, characters: number): string {
  return text.slice(-characters).replace(/^[\uDC00-\uDFFF]/, '');
}
