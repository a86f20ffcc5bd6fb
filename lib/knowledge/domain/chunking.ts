/** A piece of a document: what is indexed, ranked and quoted as one. */
export interface DocumentChunk {
  /** From 0, in the order of the document. */
  readonly ordinal: number;
  /** Headings above it, outermost first, joined by `SECTION_SEPARATOR`; '' before the first heading. */
  readonly section: string;
  /** Markdown without the headings. */
  readonly text: string;
}

export const SECTION_SEPARATOR = ' › ';

/** About a screen of text; a section that is longer is split between its paragraphs, list items or sentences. */
export const CHUNK_LENGTH_LIMIT = 1200;

/**
 * Splits Markdown into chunks along its headings. Code fences are kept whole where they fit, and `#` inside them is no
 * heading. The first heading of level 1 is the document's title and part of no section path.
 */
export function chunkDocument(markdown: string): DocumentChunk[] {
  const chunks: DocumentChunk[] = [];
  for (const section of readSections(markdown)) {
    for (const text of splitText(section.text)) chunks.push({ ordinal: chunks.length, section: section.path, text });
  }
  return chunks;
}

/** The document's own title: its first heading of level 1, if it begins with one. */
export function findTitle(markdown: string): string | null {
  return /^\s*# +(.+?)[ #]*$/m.exec(markdown.split('\n').find((line) => line.trim() !== '') ?? '')?.[1]?.trim() ?? null;
}

function readSections(markdown: string): { path: string; text: string }[] {
  const sections: { path: string; lines: string[] }[] = [{ path: '', lines: [] }];
  const headings: { level: number; text: string }[] = [];
  let fence: string | null = null;
  let isTitleOpen = true;
  for (const line of markdown.split(/\r\n|[\n\r]/)) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === null ? mark : fence === mark ? null : fence;
    const heading = fence === null ? /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$/.exec(line) : null;
    if (!heading) {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    const level = heading[1]?.length ?? 1;
    if (level === 1 && isTitleOpen) {
      isTitleOpen = false;
      continue;
    }
    while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
    headings.push({ level, text: (heading[2] ?? '').trim() });
    sections.push({
      path: headings
        .map((entry) => entry.text)
        .filter((text) => text !== '')
        .join(SECTION_SEPARATOR),
      lines: [],
    });
  }
  return sections
    .map((section) => ({ path: section.path, text: section.lines.join('\n').trim() }))
    .filter((section) => section.text !== '');
}

function splitText(text: string): string[] {
  if (text.length <= CHUNK_LENGTH_LIMIT) return [text];
  for (const boundary of [/\n[ \t]*\n/, /\n/, /(?<=[。！？；])|(?<=[.!?;] )/, /(?<=\s)/]) {
    const parts = text.split(boundary).filter((part) => part.trim() !== '');
    if (parts.length > 1) return pack(parts, boundary.source.startsWith('\\n') ? '\n' : '').flatMap(splitText);
  }
  return cut(text);
}

/** Joins neighbouring parts up to the limit. */
function pack(parts: readonly string[], separator: string): string[] {
  const packed: string[] = [];
  for (const part of parts) {
    const last = packed.at(-1);
    if (last !== undefined && last.length + separator.length + part.length <= CHUNK_LENGTH_LIMIT)
      packed[packed.length - 1] = `${last}${separator}${part}`;
    else packed.push(part);
  }
  return packed;
}

/** A run without any boundary, cut between characters. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + CHUNK_LENGTH_LIMIT, text.length);
    if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '') && end < text.length) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
