import { AppError } from '#lib/kernel/index.ts';
import { decodeText, kindOfFile, type ReadableFile, titleOfName } from '../domain/readable-file.ts';
import type { FileReader, ReadFile } from '../ports.ts';
import { htmlToMarkdown } from './html-markdown.ts';

/** A document of more pages is a book: import it in parts. */
const PAGE_LIMIT = 1_000;

/** Reads text, Markdown, HTML and PDF, by pure JavaScript: nothing of a file is run. */
export function createFileReader(): FileReader {
  return {
    async read(file) {
      const read = await readByKind(file);
      if (read.markdown.trim() === '')
        throw unreadable(file, 'there is no text in it. A scan has to be read by a text recognition program first');
      return read;
    },
  };
}

async function readByKind(file: ReadableFile): Promise<ReadFile> {
  const kind = kindOfFile(file);
  if (kind === null) throw unreadable(file, 'text, Markdown, HTML and PDF can be read');
  if (kind === 'pdf') return readPdf(file);
  const text = decodeText(file.bytes, /charset="?([\w-]+)/i.exec(file.mediaType)?.[1] ?? null).replace(/^\uFEFF/, '');
  if (kind === 'html') {
    const { title, markdown } = htmlToMarkdown(text);
    return { title: title ?? titleOfName(file.name), markdown };
  }
  const heading = kind === 'markdown' ? /^# +(.+?)[ #]*$/m.exec(text)?.[1]?.trim() : undefined;
  return { title: heading ?? titleOfName(file.name), markdown: text };
}

async function readPdf(file: ReadableFile): Promise<ReadFile> {
  const { extractText, getDocumentProxy, getMeta } = await import('unpdf');
  try {
    // The library takes the bytes for its own.
    const document = await getDocumentProxy(file.bytes.slice());
    if (document.numPages > PAGE_LIMIT) throw unreadable(file, `it has ${document.numPages} pages, and ${PAGE_LIMIT} are read at most`);
    const { text } = await extractText(document, { mergePages: false });
    const { info } = await getMeta(document);
    const title = typeof info?.Title === 'string' ? info.Title.trim() : '';
    const pages = text.map((page, index) => ({ number: index + 1, text: page.trim() })).filter((page) => page.text !== '');
    // A page is a section, so that what is found says on which page it stands.
    const markdown = pages.map((page) => `## ${page.number}\n\n${page.text}`).join('\n\n');
    return { title: title || titleOfName(file.name), markdown };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unreadable(file, 'this PDF cannot be opened: it is damaged, or locked by a password', error);
  }
}

function unreadable(file: ReadableFile, why: string, cause?: unknown): AppError {
  const name = file.name.slice(0, 120);
  return new AppError({ code: 'unreadable_document', message: `${name} cannot be read: ${why}.`, details: { file: name }, cause });
}
