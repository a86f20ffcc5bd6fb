/** The first of the tenant's group roles that fits: their order is the tenant's word on whoever is in several groups. */
export function chooseGroupRole<Role extends { readonly group: string }>(inOrder: readonly Role[], groups: readonly string[]): Role | null {
  const named = new Set(groups);
  return inOrder.find(({ group }) => named.has(group)) ?? null;
}
