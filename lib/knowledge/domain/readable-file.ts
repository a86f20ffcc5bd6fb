/** A file as somebody hands it in. */
export interface ReadableFile {
  /** As the sender calls it; the title where the file has none of its own. */
  readonly name: string;
  /** What the sender says it is; '' where nothing was said. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export type FileKind = 'text' | 'markdown' | 'html' | 'pdf';

/** What a file is, by its first bytes, then what is said of it, then its name; null for what cannot be read. */
export function kindOfFile({ name, mediaType, bytes }: ReadableFile): FileKind | null {
  if (startsWith(bytes, '%PDF-')) return 'pdf';
  // A text has no NUL: what has one is an image, an archive or a program, whatever its name.
  if (bytes.subarray(0, 8_192).includes(0)) return null;
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (type === 'text/html' || type === 'application/xhtml+xml' || extension === 'html' || extension === 'htm') return 'html';
  if (type === 'text/markdown' || extension === 'md' || extension === 'markdown') return 'markdown';
  if (type.startsWith('text/') || extension === 'txt' || extension === 'text' || extension === 'csv') return 'text';
  return null;
}

/** The name without folders and ending, as a title. */
export function titleOfName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return (
    last
      .replace(/\.[a-z0-9]{1,8}$/i, '')
      .replace(/[_\s]+/g, ' ')
      .trim() || last
  );
}

/** The language of most of a text, as documents are told apart. */
export function languageOfText(text: string): 'en' | 'zh-CN' {
  const sample = text.slice(0, 20_000);
  const han = sample.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = sample.match(/\p{Script=Latin}+/gu)?.length ?? 0;
  return han > words ? 'zh-CN' : 'en';
}

/** Text of bytes: UTF-8 where they are that, else the encoding of most older Chinese files. */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  for (const encoding of [charset ?? 'utf-8', 'utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Not that one.
    }
  }
  return new TextDecoder('utf-8').decode(bytes);
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, index) => bytes[index] === character.charCodeAt(0));
}
