import type { PromptMessage, TokenCounter } from '#lib/models/index.ts';

/** In characters, of what each side said. */
const ASKED_LENGTH = 160;
const ANSWERED_LENGTH = 240;
const LETTERS_OF_A_TOKEN = 16;

/**
 * A summary without a model: what was there, and for each message that leaves its first words, a line each. Beyond
 * `maxTokens` the oldest lines go, of what was there no more than half of the room. Its cost is that of what is dropped, not of what stays (requirement H-07).
 */
export function extractSummary(
  before: string | null,
  dropped: readonly PromptMessage[],
  { maxTokens, count }: { maxTokens: number; count: TokenCounter },
): string {
  const lines = dropped.flatMap(linesOf);
  if (before === null) return newestWithin(lines, { maxTokens, count });
  // What a model once summarised is worth more than a line of today: half of the room is kept for it.
  const recent = newestWithin(lines, { maxTokens: maxTokens - Math.min(Math.floor(maxTokens / 2), count(before) + 1), count });
  const earlier = newestWithin(before.split('\n'), { maxTokens: maxTokens - count(recent) - 1, count });
  return [earlier, recent].filter((part) => part !== '').join('\n');
}

/** The newest lines that fit; of one that does not, its beginning. */
export function newestWithin(lines: readonly string[], { maxTokens, count }: { maxTokens: number; count: TokenCounter }): string {
  const kept: string[] = [];
  let tokens = 0;
  for (const line of lines.toReversed()) {
    // The line's own end counts as well.
    const more = count(`${line}\n`) + 1;
    if (tokens + more > maxTokens) break;
    tokens += more;
    kept.unshift(line);
  }
  const last = lines.at(-1);
  return kept.length === 0 && last !== undefined ? beginningWithin(last, { maxTokens, count }) : kept.join('\n');
}

/** The longest beginning that counts no more than `maxTokens`, between characters. */
export function beginningWithin(text: string, { maxTokens, count }: { maxTokens: number; count: TokenCounter }): string {
  // No text is so thin: what is far too long need not be counted whole.
  const longest = maxTokens * LETTERS_OF_A_TOKEN;
  if (text.length <= longest && count(text) <= maxTokens) return text;
  let fits = 0;
  let beyond = Math.min(text.length, longest + 1);
  while (beyond - fits > 1) {
    const middle = Math.floor((fits + beyond) / 2);
    if (count(text.slice(0, middle)) <= maxTokens) fits = middle;
    else beyond = middle;
  }
  return text.slice(0, fits).replace(/[\uD800-\uDBFF]$/, '');
}

function linesOf(message: PromptMessage): string[] {
  if (message.role === 'system') return [];
  if (message.role === 'user') return [`- Asked: ${firstWords(message.content, ASKED_LENGTH)}`];
  if (message.role === 'tool')
    return message.results.map(
      ({ toolName, text, isError }) => `- ${toolName} ${isError ? 'failed' : 'gave'}: ${firstWords(text, ANSWERED_LENGTH)}`,
    );
  return message.content.flatMap((part) => {
    if (part.type === 'text') return [`- Answered: ${firstWords(part.text, ANSWERED_LENGTH)}`];
    // Reasoning is nobody's to retell.
    return part.type === 'tool-call' ? [`- Called ${part.toolName} ${firstWords(JSON.stringify(part.arguments), ASKED_LENGTH)}`] : [];
  });
}

/** In one line, up to the end of a sentence where one ends in time. */
function firstWords(text: string, length: number): string {
  const line = text
    .slice(0, 4 * length)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  if (characters.length <= length) return line;
  const beginning = characters.slice(0, length).join('');
  const sentence = /^.*[.!?。！？](?=\s|$|[^\p{ASCII}])/u.exec(beginning)?.[0];
  return sentence !== undefined && sentence.length > length / 3 ? sentence : `${beginning}…`;
}
