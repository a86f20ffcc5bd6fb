const KEY = 'bailiwick.runs-order';
const KEPT = 500;

/** Keeps the runs of a list in their order, so that a run that is opened knows its neighbours, filters and all. */
export function rememberOrder(ids: readonly string[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(ids.slice(0, KEPT)));
  } catch {
    // Without storage a run has no neighbours: the list is a click away.
  }
}

export function neighboursOf(id: string): { next: string | null; previous: string | null } {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    const at = Array.isArray(ids) ? ids.indexOf(id) : -1;
    if (!Array.isArray(ids) || at < 0) return { next: null, previous: null };
    const idAt = (index: number) => (typeof ids[index] === 'string' ? ids[index] : null);
    return { next: idAt(at + 1), previous: at > 0 ? idAt(at - 1) : null };
  } catch {
    return { next: null, previous: null };
  }
}
