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
 * What an entry of the activity changed, field by field, where it tells of a state before and one after, as a whole or of
 * each field by itself; and what else it tells. A field that is equal in both was not changed and is left out.
 */
export function detailChanges(details: Readonly<Record<string, unknown>>): { changes: DetailChange[]; rest: Record<string, unknown> } {
  const whole = takePair(details);
  if (whole) return { changes: changesOf(whole.before, whole.after), rest: whole.rest };
  const changes: DetailChange[] = [];
  const rest: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(details)) {
    const pair = isRecord(value) ? takePair(value) : null;
    if (pair && Object.keys(pair.rest).length === 0) changes.push({ field, before: pair.before, after: pair.after });
    else rest[field] = value;
  }
  return { changes: changes.filter(hasChanged), rest };
}

function takePair(details: Readonly<Record<string, unknown>>): { before: unknown; after: unknown; rest: Record<string, unknown> } | null {
  for (const [first, second] of PAIRS) {
    if (!(first in details) || !(second in details)) continue;
    const { [first]: before, [second]: after, ...rest } = details;
    return { before, after, rest };
  }
  return null;
}

function changesOf(before: unknown, after: unknown): DetailChange[] {
  if (!isRecord(before) || !isRecord(after)) return [{ field: '', before, after }];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.map((field) => ({ field, before: before[field], after: after[field] })).filter(hasChanged);
}

function hasChanged({ before, after }: DetailChange): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
