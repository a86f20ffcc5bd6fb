/** Numbers as Postgres reads an array of reals. */
export function toArrayLiteral(vector: readonly number[]): string {
  return `{${vector.join(',')}}`;
}
