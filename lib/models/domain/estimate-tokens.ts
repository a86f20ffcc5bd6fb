import type { AssistantPart, PromptMessage } from './prompt.ts';
import type { Usage } from './usage.ts';

// By extension, since the mark of a long vowel belongs to both scripts of Japanese and to neither.
const CJK = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}`;
const ONE_EACH = new RegExp(`^[${CJK}]`, 'u');
const PIECE = new RegExp(String.raw`[${CJK}]|\p{N}+|(?:(?![${CJK}])\p{L})+|[^\s\p{L}\p{N}]`, 'gu');

/**
 * About how many tokens a text has, for calls whose provider reports none: a Chinese, Japanese or Korean character counts one,
 * a run of Latin letters one for each five, digits one for each three, any other sign one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    if (/^\p{N}/u.test(piece)) tokens += Math.ceil(piece.length / 3);
    else if (ONE_EACH.test(piece)) tokens += 1;
    else tokens += Math.max(1, Math.ceil(piece.length / 5));
  }
  return tokens;
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
