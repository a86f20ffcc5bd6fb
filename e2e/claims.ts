export interface Claim {
  readonly file: string;
  readonly id: string;
}

const CALL = /\bverifies\(\s*(\[[^\]]*\]|'[^']*'|"[^"]*"|[^\s,)]+)/g;
const LITERAL = /['"]([^'"]+)['"]/g;

/**
 * The requirements that a test file says it proves. Throws when an id is not written out: what cannot be read here cannot
 * be counted.
 */
export function readClaims(file: string, source: string): Claim[] {
  return [...source.matchAll(CALL)].flatMap(([, argument = '']) => {
    const ids = [...argument.matchAll(LITERAL)].map(([, id = '']) => id);
    if (ids.length === 0) throw new Error(`${file}: verifies(${argument} ...) must name its ids as literals`);
    return ids.map((id) => ({ file, id }));
  });
}

/** What is wrong between the lists and the tests, in sentences; nothing when they agree. */
export function compareClaims(
  list: Readonly<Record<string, { readonly status: 'proved' | 'planned' }>>,
  claims: readonly Claim[],
): string[] {
  const problems = claims.filter(({ id }) => !Object.hasOwn(list, id)).map(({ file, id }) => `${file} proves ${id}, which is on no list`);
  for (const [id, { status }] of Object.entries(list)) {
    const files = [...new Set(claims.filter((claim) => claim.id === id).map(({ file }) => file))];
    if (status === 'proved' && files.length === 0) problems.push(`${id} is listed as proved, and no test names it`);
    if (status === 'planned' && files.length > 0)
      problems.push(`${id} is listed as planned, and ${files.join(', ')} proves it: mark it proved`);
  }
  return problems;
}
