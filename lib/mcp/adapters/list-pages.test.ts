import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { listPages } from './list-pages.ts';

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

describe('listPages', () => {
  verifies('K10', 'reads all pages, an empty cursor among them', async () => {
    const pages: Record<string, { items: number[]; nextCursor: string | undefined }> = {
      first: { items: numbers(0, 50), nextCursor: '' },
      '': { items: numbers(50, 50), nextCursor: 'c' },
      c: { items: [100], nextCursor: undefined },
    };
    const found = await listPages(async (cursor) => pages[cursor ?? 'first'] ?? { items: [], nextCursor: undefined });
    expect(found).toEqual({ items: numbers(0, 101), pages: 3, warnings: [] });
  });

  verifies('K10', 'leaves a list whose cursor repeats or that has no end', async () => {
    const stuck = await listPages(async () => ({ items: [1], nextCursor: 'again' }));
    expect(stuck).toMatchObject({ pages: 2, warnings: ['repeated-cursor'] });
    let page = 0;
    const endless = await listPages(async () => ({ items: numbers(page * 10, 10), nextCursor: String(++page) }));
    expect(endless).toMatchObject({ pages: 100, warnings: ['page-limit'] });
    expect(endless.items).toHaveLength(1_000);
  });

  it('passes on what goes wrong', async () => {
    await expect(listPages(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });
});
