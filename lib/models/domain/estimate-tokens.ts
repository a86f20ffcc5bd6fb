import type { AssistantPart, PromptMessage } from './prompt.ts';
import type { Usage } from './usage.ts';

/**
 * About how many tokens a text has, for calls whose provider reports none: a Chinese, Japanese or Korean character counts one,
 * a run of Latin letters one for each five, digits one for each three, any other sign one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\p{N}+|\p{L}+|[^\s\p{L}\p{N}]/gu,
  )) {
    if (/^\p{N}/u.test(piece)) tokens += Math.ceil(piece.length / 3);
    else if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(piece)) tokens += 1;
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
