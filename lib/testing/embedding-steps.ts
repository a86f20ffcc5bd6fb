import type { ModelStep, SeenRequest } from './model-server.ts';

/** What the scripted model knows to mean the same; each is a direction of its own. */
const MEANINGS = [
  ['dog', 'hound', 'canine'],
  ['late', 'overdue', 'tardy'],
  ['pay', 'fee', 'charge', 'costs'],
  ['sleep', 'slumber', 'nap'],
  ['sea', 'ocean', 'marine'],
];

/**
 * A step that answers in OpenAI's embeddings: texts lie near each other as far as they say the same, whatever the words. The
 * same text has the same vector always.
 */
export function embedded({ dimensions = 16, usage = true }: { dimensions?: number; usage?: boolean } = {}): ModelStep {
  return (request, response) => {
    const texts = textsOf(request);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        object: 'list',
        model: 'scripted',
        data: texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, dimensions) })),
        ...(usage && { usage: { prompt_tokens: texts.length * 7, total_tokens: texts.length * 7 } }),
      }),
    );
  };
}

export function textsOf({ body }: SeenRequest): string[] {
  const input = body.input;
  return Array.isArray(input) ? input.map(String) : [String(input)];
}

/** Directions of meanings, and a little of its own for each text. */
export function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, (_, index) => 0.01 * Math.sin((hash(text) % 1_000) + index));
  const words = new Set(text.toLowerCase().match(/[a-z]+/g));
  for (const [index, meaning] of MEANINGS.entries()) {
    const at = index % dimensions;
    if (meaning.some((word) => words.has(word))) vector[at] = (vector[at] ?? 0) + 1;
  }
  // What says none of it points elsewhere.
  if (!MEANINGS.flat().some((word) => words.has(word))) vector[dimensions - 1] = 1;
  return vector;
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return value;
}
