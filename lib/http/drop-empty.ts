/** A filter that a form left empty is no filter. */
export function dropEmpty(query: unknown): unknown {
  return typeof query === 'object' && query !== null
    ? Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
    : query;
}
