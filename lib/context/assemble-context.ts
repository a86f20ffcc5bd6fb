import type { AssembledFragment } from './domain/fragment.ts';
import type { ContextContributor, ContextRequest } from './ports.ts';

export interface AssembledContext {
  /** All fragments in order, the overridden ones included. */
  readonly fragments: readonly AssembledFragment[];
  /** What is sent, one section a fragment. */
  readonly text: string;
}

/**
 * Asks every contributor and puts what they give in order (requirement P-23): by order, then by name; for one namespace and
 * key the later wins. All is in before the run starts. A contributor that fails fails the run: an answer without its context
 * would look like one with it.
 */
export async function assembleContext(contributors: readonly ContextContributor[], request: ContextRequest): Promise<AssembledContext> {
  const ordered = [...contributors].sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
  const given = await Promise.all(ordered.map((contributor) => contributor.contribute(request)));
  const all = ordered.flatMap(({ name, order }, index) =>
    (given[index] ?? []).map((fragment) => ({ ...fragment, contributor: name, order })),
  );
  const last = new Map(all.map((fragment, index) => [keyOf(fragment), index]));
  const fragments = all.map((fragment, index) => ({ ...fragment, isOverridden: last.get(keyOf(fragment)) !== index }));
  const text = fragments
    .filter((fragment) => !fragment.isOverridden && !fragment.isSentApart && fragment.value !== '')
    .map((fragment) => `## ${fragment.namespace}.${fragment.key}\n${fragment.value}`)
    .join('\n\n');
  return { fragments, text };
}

function keyOf(fragment: { namespace: string; key: string }): string {
  return JSON.stringify([fragment.namespace, fragment.key]);
}
