/**
 * Focuses a row of a virtual list: at once where it stands in the page, so that the next key already acts on it, else once it
 * has been drawn.
 */
export function focusRow(list: HTMLElement | null, selector: string): void {
  const row = list?.querySelector<HTMLElement>(selector);
  if (row) row.focus();
  else requestAnimationFrame(() => list?.querySelector<HTMLElement>(selector)?.focus());
}
