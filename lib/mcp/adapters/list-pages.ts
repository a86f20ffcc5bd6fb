/** Beyond these a list is left: no server of sense has so many (known fault K10). */
const PAGE_LIMIT = 100;
const ITEM_LIMIT = 2_000;

export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/**
 * Reads a list to its end, page by page. A cursor that was given before, too many pages or too many items end it with a
 * warning: what was read until then counts. An empty cursor is a cursor as any other.
 */
export async function listPages(
  readPage: (cursor: string | undefined) => Promise<Page>,
): Promise<{ items: unknown[]; pages: number; warnings: ('repeated-cursor' | 'page-limit')[] }> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await readPage(cursor);
    items.push(...page.items);
    if (page.nextCursor === undefined) return { items, pages, warnings: [] };
    if (seen.has(page.nextCursor)) return { items, pages, warnings: ['repeated-cursor'] };
    if (pages >= PAGE_LIMIT || items.length >= ITEM_LIMIT) return { items: items.slice(0, ITEM_LIMIT), pages, warnings: ['page-limit'] };
    seen.add(page.nextCursor);
    cursor = page.nextCursor;
  }
}
