'use client';

import { useKeys } from './use-keys.ts';

/** J and K move the focus from row to row of a list: to the first link of each. Enter is the link's own. */
export function RowKeys({ listId }: { listId: string }) {
  const go = (by: 1 | -1) => {
    const rows = [...(document.getElementById(listId)?.querySelectorAll('tbody > tr, li') ?? [])];
    const links = rows.map((row) => row.querySelector<HTMLElement>('a[href]')).filter((link) => link !== null);
    const at = links.findIndex((link) => link === document.activeElement);
    links[Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
  };
  useKeys({ next: () => go(1), previous: () => go(-1) });
  return null;
}
