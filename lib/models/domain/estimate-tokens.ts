import type { AssistantPart, ExposedTool, PromptMessage } from './prompt.ts';
import type { Usage } from './usage.ts';

/** Counts the tokens of a text as one model would, or about so. Never negative, and 0 for nothing. */
export type TokenCounter = (text: string) => number;

// By extension, since the mark of a long vowel belongs to both scripts of Japanese and to neither.
const CJK = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}`;
const PIECE = new RegExp(
  [
    String.raw`(?<cjk>[${CJK}])`,
    String.raw`(?<digits>\p{N}+)`,
    // As vocabularies cut them: `camelCase` is two pieces, and so are the letters of a key in base64.
    String.raw`(?<latin>[A-Z]?[a-z]+|[A-Z]+)`,
    String.raw`(?<accented>\p{scx=Latin}+)`,
    String.raw`(?<alphabetic>[\p{scx=Cyrillic}\p{scx=Greek}]+)`,
    String.raw`(?<letters>(?:(?![${CJK}\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Greek}])[\p{L}\p{M}])+)`,
    String.raw`(?<space>[^\S ]+\s*| {2,}\s*)`,
    String.raw`(?<repeated>([!-/:-@[-\x60{-~])\k<mark>{3,})`.replace('([!', '(?<mark>[!'),
    String.raw`(?<signs>[!-/:-@[-\x60{-~]+)`,
    String.raw`(?<other>\S)`,
  ].join('|'),
  'gu',
);

/**
 * About how many tokens a text has, where no tokenizer of the model's is at hand: by script, in the rates that the
 * vocabularies of today have for it, and rather too many than too few. A Chinese, Japanese or Korean character counts one, a
 * word of Latin letters one for each seven, signs one for each two, an emoji two; what vocabularies hardly know counts by its
 * bytes. Measured against two of them in `estimate-tokens.test.ts`.
 */
export const estimateTokens: TokenCounter = (text) => {
  let tokens = 0;
  for (const { 0: piece, groups } of text.matchAll(PIECE)) tokens += weigh(piece, groups ?? {});
  return Math.ceil(tokens);
};

function weigh(piece: string, groups: Record<string, string | undefined>): number {
  if (groups.cjk !== undefined) return /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3\u3000-\u303f]/.test(piece) ? 1 : bytesOf(piece);
  if (groups.digits !== undefined) return Math.ceil(piece.length / 3);
  if (groups.latin !== undefined) return Math.ceil(piece.length / 7);
  if (groups.accented !== undefined) return Math.ceil(piece.length / 3);
  if (groups.alphabetic !== undefined) return Math.ceil(piece.length / 3);
  if (groups.letters !== undefined) return bytesOf(piece) / bytesPerToken(piece);
  if (groups.space !== undefined) return Math.ceil(piece.length / 16);
  if (groups.repeated !== undefined) return Math.ceil(piece.length / 8);
  if (groups.signs !== undefined) return Math.ceil(piece.length / 2);
  if (/[\uff00-\uffef]/.test(piece)) return 1;
  const isEmoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u.test(piece);
  return isEmoji ? Math.min(2.5, bytesOf(piece)) : Math.max(1, bytesOf(piece) - 1);
}

/** Scripts of many readers have words of their own in a vocabulary; the others are spelled in bytes. */
function bytesPerToken(letters: string): number {
  return /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Thai}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Tamil}\p{scx=Telugu}]/u.test(letters) ? 4 : 1.2;
}

function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Beyond it the rest of a text is taken to be as its beginning is. */
const COUNTED_LENGTH = 400_000;

/** The same counter that counts no text twice, and of a very long one the beginning. For as long as one run lives. */
export function rememberCounts(count: TokenCounter): TokenCounter {
  const counted = new Map<string, number>();
  return (text) => {
    const known = counted.get(text);
    if (known !== undefined) return known;
    const isLong = text.length > COUNTED_LENGTH;
    const tokens = isLong ? Math.ceil((count(text.slice(0, COUNTED_LENGTH)) * text.length) / COUNTED_LENGTH) : count(text);
    counted.set(text, tokens);
    return tokens;
  };
}

/** What a message costs besides its text: role and separators. */
const MESSAGE_TOKENS = 4;

/** Tokens of one message as it is sent. Reasoning counts: it goes back to the provider it came from. */
export function countMessage(message: PromptMessage, count: TokenCounter): number {
  if (message.role === 'assistant') return message.content.reduce((sum, part) => sum + count(textOfPart(part)) + 1, MESSAGE_TOKENS);
  if (message.role === 'tool')
    return message.results.reduce((sum, { toolName, text }) => sum + MESSAGE_TOKENS + count(toolName) + count(text), 0);
  return MESSAGE_TOKENS + count(message.content);
}

/** Tokens of the tools that a call names. */
export function countTools(tools: readonly ExposedTool[], count: TokenCounter): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + MESSAGE_TOKENS + count(name) + count(description) + count(JSON.stringify(inputSchema)),
    0,
  );
}

/** Usage of a call by our own count, marked as such. */
export function estimateUsage(messages: readonly PromptMessage[], answer: readonly AssistantPart[]): Usage {
  const reasoning = answer.filter((part) => part.type === 'reasoning');
  return {
    inputTokens: estimateTokens(messages.map(textOfMessage).join('\n')),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: estimateTokens(
      answer
        .filter((part) => part.type !== 'reasoning')
        .map(textOfPart)
        .join('\n'),
    ),
    reasoningTokens: estimateTokens(reasoning.map(textOfPart).join('\n')),
    isEstimated: true,
  };
}

function textOfMessage(message: PromptMessage): string {
  if (message.role === 'assistant') return message.content.map(textOfPart).join('\n');
  if (message.role === 'tool') return message.results.map((result) => result.text).join('\n');
  return message.content;
}

function textOfPart(part: AssistantPart): string {
  return part.type === 'tool-call' ? `${part.toolName} ${JSON.stringify(part.arguments)}` : part.text;
}
