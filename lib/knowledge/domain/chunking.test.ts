import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractBestLines } from './best-lines.ts';
import { CHUNK_LENGTH_LIMIT, chunkDocument, findTitle } from './chunking.ts';

function letters(parts: readonly string[]): string {
  return parts.join('').replace(/\s/g, '');
}

function weightOf(words: readonly string[]) {
  return (token: string) => (words.includes(token) ? 1 : 0);
}

describe('chunkDocument', () => {
  it('follows the headings, the title aside', () => {
    const markdown = '# Library\n\nWelcome.\n\n## Hours\n\nDaily.\n\n### Holidays\n\nClosed.\n\n## Fees\n\nNone.\n';
    expect(chunkDocument(markdown)).toEqual([
      { ordinal: 0, section: '', text: 'Welcome.' },
      { ordinal: 1, section: 'Hours', text: 'Daily.' },
      { ordinal: 2, section: 'Hours › Holidays', text: 'Closed.' },
      { ordinal: 3, section: 'Fees', text: 'None.' },
    ]);
    expect(findTitle(markdown)).toBe('Library');
    expect(findTitle('## Hours\n# Library')).toBeNull();
  });

  it('sees no heading in a code fence', () => {
    expect(chunkDocument('## Setup\n\n```sh\n# not a heading\nnpm start\n```\n')).toEqual([
      { ordinal: 0, section: 'Setup', text: '```sh\n# not a heading\nnpm start\n```' },
    ]);
  });

  it('has no chunk for a heading without text, and none for an empty document', () => {
    expect(chunkDocument('# A\n\n## B\n\n## C\n\ntext')).toEqual([{ ordinal: 0, section: 'C', text: 'text' }]);
    expect(chunkDocument(' \n\n')).toEqual([]);
  });

  it('splits a long section where it may be split, and keeps every word', () => {
    const paragraphs = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} says something about rule ${index} at some length.`);
    const chunks = chunkDocument(`## Rules\n\n${paragraphs.join('\n\n')}`);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.every((chunk) => chunk.text.length <= CHUNK_LENGTH_LIMIT && chunk.section === 'Rules')).toBe(true);
    for (const paragraph of paragraphs) expect(chunks.some((chunk) => chunk.text.includes(paragraph))).toBe(true);
  });

  it('is total, keeps every letter of the text, and cuts no character in two', () => {
    const text = fc.oneof(
      fc.constantFrom('- item', '', '奖学金。'.repeat(500), '👨‍👩‍👧'.repeat(300), 'word '.repeat(600), 'x'.repeat(3_000)),
      fc.string({ unit: 'binary' }).map((binary) => binary.toWellFormed().replace(/[#`~]/g, '')),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('', '# a', '## b', '### c'), text), { maxLength: 12 }), (sections) => {
        const chunks = chunkDocument(sections.flat().join('\n'));
        expect(chunks.map((chunk) => chunk.ordinal)).toEqual(chunks.map((_, index) => index));
        expect(letters(chunks.map((chunk) => chunk.text))).toBe(letters(sections.map(([, body]) => body)));
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(CHUNK_LENGTH_LIMIT);
          expect(chunk.text.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('extractBestLines', () => {
  it('quotes a short chunk whole', () => {
    expect(extractBestLines('You need:\n\n1. a form\n2. a stamp', weightOf(['stamp']))).toBe('You need:\n\n1. a form\n2. a stamp');
  });

  it('quotes the lines around the best one of a long chunk, in their order', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `- Rule ${index}: nothing of interest stands in this line.`);
    lines[25] = '- Rule 25: parrots are allowed.';
    const excerpt = extractBestLines(lines.join('\n'), weightOf(['parrot']));
    expect(excerpt).toContain('parrots are allowed');
    expect(excerpt.length).toBeLessThan(700);
    expect(lines.join('\n')).toContain(excerpt);
  });

  it('takes a paragraph in one line apart at its sentences', () => {
    const text = `${'Nothing to see here. '.repeat(60)}Parrots are allowed. ${'Nothing to see here. '.repeat(60)}`;
    const excerpt = extractBestLines(text, weightOf(['parrot']));
    expect(excerpt).toContain('Parrots are allowed.');
    expect(excerpt.length).toBeLessThan(800);
  });
});
