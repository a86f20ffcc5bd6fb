/** Providers take letters, digits, _ and -, at most 64 of them. */
const LIMIT = 64;

/**
 * Names for tools that every provider takes, with the way back: permission checks use the identity, never what a model
 * wrote. Ids that would meet under one name get a number.
 */
export function exposeNames(ids: readonly string[]): {
  readonly nameOf: ReadonlyMap<string, string>;
  readonly idOf: ReadonlyMap<string, string>;
} {
  const nameOf = new Map<string, string>();
  const idOf = new Map<string, string>();
  for (const id of ids) {
    const safe = id.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, LIMIT) || 'tool';
    let name = safe;
    for (let count = 2; idOf.has(name); count += 1) name = `${safe.slice(0, LIMIT - String(count).length - 1)}_${count}`;
    nameOf.set(id, name);
    idOf.set(name, id);
  }
  return { nameOf, idOf };
}
