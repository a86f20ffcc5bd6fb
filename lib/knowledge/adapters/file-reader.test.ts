import { describe, expect, it } from 'vitest';
import { smallPdf } from '#lib/testing/small-pdf.ts';
import { createFileReader } from './file-reader.ts';
import { htmlToMarkdown } from './html-markdown.ts';

const reader = createFileReader();
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (name: string, content: string | Uint8Array, mediaType = '') =>
  reader.read({ name, mediaType, bytes: typeof content === 'string' ? bytes(content) : content });

describe('createFileReader', () => {
  it('reads text under the name of its file, and Markdown under its own heading', async () => {
    expect(await read('opening_hours.txt', '\uFEFFOpen at eight.')).toEqual({ title: 'opening hours', markdown: 'Open at eight.' });
    expect(await read('a.md', '# Library rules\n\nBe quiet.')).toMatchObject({ title: 'Library rules' });
  });

  it('reads Chinese text that is not UTF-8', async () => {
    // 图书馆 in GB 18030.
    const gb = new Uint8Array([0xcd, 0xbc, 0xca, 0xe9, 0xb9, 0xdd]);
    expect(await read('lib.txt', gb)).toEqual({ title: 'lib', markdown: '图书馆' });
  });

  it('reads each page of a PDF as a section of its own', async () => {
    const { title, markdown } = await read('rules.pdf', smallPdf(['Quiet hours begin at ten.', 'Fees are two euro.']));
    expect(title).toBe('rules');
    expect(markdown).toBe('## 1\n\nQuiet hours begin at ten.\n\n## 2\n\nFees are two euro.');
  }, 30_000);

  it.each([
    ['photo.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), /text, Markdown, HTML and PDF can be read/],
    ['program.txt', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1]), /text, Markdown, HTML and PDF can be read/],
    ['broken.pdf', bytes('%PDF-1.7 and nothing else'), /damaged, or locked/],
    ['scan.pdf', smallPdf(['']), /no text in it/],
    ['empty.txt', bytes('  \n'), /no text in it/],
  ])(
    'says why %s cannot be read',
    async (name, content, why) => {
      await expect(read(name, content)).rejects.toMatchObject({ code: 'unreadable_document', message: expect.stringMatching(why) });
    },
    30_000,
  );
});

describe('htmlToMarkdown', () => {
  it('keeps what a page says, and leaves out what is around it and what would run', () => {
    const page = `<!doctype html><html><head><title>Library &amp; rules</title><script>alert(1)</script><style>p{}</style></head>
      <body><nav><a href="/">Home</a></nav><main><h1>Rules</h1><p>Be <b>quiet</b>,<br>please. <a href="javascript:alert(1)">More</a></p>
      <h2>Hours</h2><ul><li>Mon 8–22</li><li>Sun <i>closed</i></li></ul><ol><li>One</li><li>Two</li></ol>
      <blockquote><p>As said</p></blockquote><pre>x = 1\n y</pre>
      <table><tr><th>Fee</th><th>Euro</th></tr><tr><td>Late</td><td>2</td></tr></table><img src=x onerror=alert(1)></main><footer>©</footer></body></html>`;
    const { title, markdown } = htmlToMarkdown(page);
    expect(title).toBe('Library & rules');
    expect(markdown).toContain('# Rules\n\nBe quiet,\nplease. More\n\n## Hours\n\n- Mon 8–22\n- Sun closed');
    expect(markdown).toContain('1. One\n2. Two\n\n> As said\n\n```\nx = 1\n y\n```');
    expect(markdown).toMatch(/Fee \| Euro\s+Late \| 2/);
    for (const gone of ['alert', 'onerror', 'Home', '©', 'p{}']) expect(markdown).not.toContain(gone);
  });

  it('survives pages that nest without end', () => {
    expect(htmlToMarkdown(`${'<div>'.repeat(5_000)}deep${'</div>'.repeat(5_000)}`).markdown).toBe('');
  });
});
