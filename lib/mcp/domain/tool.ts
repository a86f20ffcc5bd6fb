import { createHash } from 'node:crypto';
import type { Idempotency, ObjectSchema, SideEffect } from '#lib/capabilities/index.ts';
import { canonicalJson, type Id, type JsonObject } from '#lib/kernel/index.ts';

/** What a server says of a tool. All of it is a stranger's word. */
export interface ToolDefinition {
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Hints such as `readOnlyHint`: shown, and never believed. */
  readonly annotations: JsonObject | null;
}

/** A tool of a list, or why it cannot be used: one bad tool costs itself alone (known fault K7). */
export interface ListedTool {
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly problem: ToolProblem | null;
}

export type ToolProblem = 'not-an-object' | 'remote-ref' | 'too-large' | 'unreadable-schema';

/** A tool as it is kept. `definition` is what was accepted and what is called; `pending` waits for an administrator. */
export interface McpTool {
  readonly id: Id<'mcpTool'>;
  /** As the server calls it. */
  readonly name: string;
  /** The part after the server's name in the capability's id. */
  readonly capabilityName: string;
  readonly definition: ToolDefinition;
  readonly hash: string;
  /** What the server says now, where that is not what was accepted; null: nothing waits. */
  readonly pending: { readonly definition: ToolDefinition; readonly hash: string } | null;
  readonly problem: ToolProblem | null;
  /** Whether it stood in the last list. */
  readonly isListed: boolean;
  readonly isEnabled: boolean;
  readonly sideEffect: SideEffect;
  readonly idempotency: Idempotency;
  readonly acceptedAt: Date;
}

/** Binds an acceptance to exactly what was shown. */
export function hashDefinition({ title, description, inputSchema, annotations }: ToolDefinition): string {
  return createHash('sha256').update(canonicalJson({ title, description, inputSchema, annotations })).digest('hex');
}

/** A tool that may be called: listed, switched on, usable, and what was accepted. */
export function isCallable(tool: Pick<McpTool, 'isListed' | 'isEnabled' | 'problem' | 'pending'>): boolean {
  return tool.isListed && tool.isEnabled && tool.problem === null && tool.pending === null;
}

const NAME_LIMIT = 64;

/**
 * The name under which a tool stands behind its server's: letters, digits, `_` and `-` as they are, anything else as `_`.
 * Names that would meet get a number, so that each leads back to one tool (requirement H-20). `taken` are those of the server's
 * other tools.
 */
export function nameCapability(toolName: string, taken: ReadonlySet<string>): string {
  const safe = toolName.replaceAll(/[^\w-]/g, '_').slice(0, NAME_LIMIT) || 'tool';
  let name = safe;
  for (let count = 2; taken.has(name); count += 1) name = `${safe.slice(0, NAME_LIMIT - String(count).length - 1)}_${count}`;
  return name;
}
