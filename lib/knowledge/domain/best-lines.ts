import { scanTokens } from '#lib/capabilities/index.ts';

/** How much is quoted: Latin letters count 1, Chinese characters 2. */
const EXCERPT_WIDTH = 560;

/**
 * The lines of a chunk that answer a query best, word for word and in their order. A short chunk is quoted whole: a list
 * without its opening line says little. `weightOf` tells how much a token of the query counts.
 */
export function extractBestLines(text: string, weightOf: (token: string) => number): string {
  const lines = text.split('\n').flatMap(splitLongLine);
  if (width(text) <= EXCERPT_WIDTH || lines.length === 1) return text.trim();
  const scores = lines.map((line) => scoreLine(line, weightOf));
  const best = scores.indexOf(Math.max(...scores));
  let [start, end] = [best, best + 1];
  let used = width(lines[best] ?? '');
  // Grow towards the side that answers more; the line before wins a tie, for it often introduces.
  for (;;) {
    const before = start > 0 ? width(lines[start - 1] ?? '') : Number.POSITIVE_INFINITY;
    const after = end < lines.length ? width(lines[end] ?? '') : Number.POSITIVE_INFINITY;
    const canGrowUp = used + before <= EXCERPT_WIDTH;
    const canGrowDown = used + after <= EXCERPT_WIDTH;
    if (!canGrowUp && !canGrowDown) break;
    if (canGrowUp && (!canGrowDown || (scores[start - 1] ?? 0) >= (scores[end] ?? 0))) {
      start -= 1;
      used += before;
    } else {
      used += after;
      end += 1;
    }
  }
  return lines.slice(start, end).join('\n').trim();
}

/** A paragraph in one line is taken apart at its sentences. */
function splitLongLine(line: string): string[] {
  if (width(line) <= EXCERPT_WIDTH) return [line];
  return line
    .split(/(?<=[。！？；])|(?<=[.!?;]) /)
    .flatMap((sentence) => (width(sentence) <= EXCERPT_WIDTH ? [sentence] : [sentence.slice(0, EXCERPT_WIDTH / 2)]));
}

function scoreLine(line: string, weightOf: (token: string) => number): number {
  const seen = new Set<string>();
  let score = 0;
  for (const token of scanTokens(line)) {
    if (seen.has(token.text)) continue;
    seen.add(token.text);
    score += weightOf(token.text) * (token.kind === 'character' || token.kind === 'lone' ? 0.2 : 1);
  }
  return score;
}

function width(text: string): number {
  return text.length + (text.match(/[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/g)?.length ?? 0);
}
