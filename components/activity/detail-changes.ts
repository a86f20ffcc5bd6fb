/** One field of what was changed; undefined where there was or is none. */
export interface DetailChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

const PAIRS = [
  ['before', 'after'],
  ['from', 'to'],
] as const;

/**
 * What an entry of the activity changed, field by field, where it tells of a state before and one after; and what else it
 * tells. A field that is equal in both was not changed and is left out.
 */
export function detailChanges(details: Readonly<Record<string, unknown>>): { changes: DetailChange[]; rest: Record<string, unknown> } {
  for (const [first, second] of PAIRS) {
    if (!(first in details) || !(second in details)) continue;
    const { [first]: before, [second]: after, ...rest } = details;
    return { changes: changesOf(before, after), rest };
  }
  return { changes: [], rest: { ...details } };
}

function changesOf(before: unknown, after: unknown): DetailChange[] {
  if (!isRecord(before) || !isRecord(after)) return [{ field: '', before, after }];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
