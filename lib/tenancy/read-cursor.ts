import { AppError, type Id, type IdKind, parseId } from '#lib/kernel/index.ts';

/** The row a page starts after. Throws `invalid_request` for a cursor that no page gave. */
export function readCursor<Kind extends IdKind>(kind: Kind, cursor: string | undefined): Id<Kind> | null {
  if (cursor === undefined) return null;
  const id = parseId(kind, cursor);
  if (!id)
    throw new AppError({
      code: 'invalid_request',
      message: 'The cursor is not one that a page of this list gave.',
      details: { path: 'cursor' },
    });
  return id;
}

/** A page of `limit` rows out of up to `limit + 1` that were read. */
export function toPage<Row, View>(
  rows: readonly Row[],
  page: { limit: number; cursorOf: (row: Row) => string; view: (row: Row) => View },
): { items: View[]; nextCursor: string | null } {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return { items: shown.map(page.view), nextCursor: rows.length > page.limit && last ? page.cursorOf(last) : null };
}
