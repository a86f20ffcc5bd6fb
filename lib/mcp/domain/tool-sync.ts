import { hashDefinition, type ListedTool, type McpTool } from './tool.ts';

/** What a list changed, by the tools' own names. */
export interface ToolDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Told anew by the server: they wait for an administrator. */
  readonly changed: readonly string[];
}

/** The writes that bring what is kept to what was listed; tools that are as they were are in none of them. */
export interface ToolSync {
  readonly create: readonly ListedTool[];
  readonly update: readonly { readonly tool: McpTool; readonly change: ToolChange }[];
  readonly diff: ToolDiff;
}

export type ToolChange = Partial<Pick<McpTool, 'isListed' | 'pending' | 'definition' | 'hash' | 'problem'>>;

/**
 * Compares a server's list with what is kept of it (requirement H-19: incremental). A tool that was accepted and is told
 * otherwise now is put aside with its new words, and stays so until somebody accepts them or the server takes them back; one
 * that could not be used anyway is simply renewed. A tool that is no longer listed is kept for its settings.
 */
export function planToolSync(known: readonly McpTool[], listed: readonly ListedTool[]): ToolSync {
  const byName = new Map(known.map((tool) => [tool.name, tool]));
  const create: ListedTool[] = [];
  const update: { tool: McpTool; change: ToolChange }[] = [];
  const diff = { added: [] as string[], removed: [] as string[], changed: [] as string[] };
  for (const next of listed) {
    const tool = byName.get(next.name);
    if (!tool) {
      create.push(next);
      diff.added.push(next.name);
      continue;
    }
    const change = changeOf(tool, next);
    if (!tool.isListed) diff.added.push(tool.name);
    if (change.pending || change.definition) diff.changed.push(tool.name);
    if (Object.keys(change).length > 0) update.push({ tool, change });
  }
  const names = new Set(listed.map(({ name }) => name));
  for (const tool of known) {
    if (!tool.isListed || names.has(tool.name)) continue;
    update.push({ tool, change: { isListed: false } });
    diff.removed.push(tool.name);
  }
  return { create, update, diff };
}

function changeOf(tool: McpTool, next: ListedTool): ToolChange {
  const listing = tool.isListed ? {} : { isListed: true };
  const hash = hashDefinition(next.definition);
  if (hash === tool.hash) {
    return { ...listing, ...(tool.pending && { pending: null }), ...(tool.problem !== next.problem && { problem: next.problem }) };
  }
  if (tool.problem !== null) return { ...listing, definition: next.definition, hash, problem: next.problem, pending: null };
  return hash === tool.pending?.hash ? listing : { ...listing, pending: { definition: next.definition, hash } };
}

export function isEmptyDiff({ added, removed, changed }: ToolDiff): boolean {
  return added.length + removed.length + changed.length === 0;
}
