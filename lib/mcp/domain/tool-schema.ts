import type { Json } from '#lib/kernel/index.ts';
import type { ToolDefinition, ToolProblem } from './tool.ts';

/** A definition beyond this is no tool for a prompt. */
const SIZE_LIMIT = 64 * 1024;
const DEPTH_LIMIT = 60;

/**
 * Why a tool of this definition cannot be offered, as far as its text tells; null: nothing speaks against it. A `$ref` that
 * leads out of the schema would have to be fetched, which nothing here does.
 */
export function findToolProblem({ description, inputSchema }: ToolDefinition): ToolProblem | null {
  if (inputSchema.type !== 'object') return 'not-an-object';
  if (description.length + JSON.stringify(inputSchema).length > SIZE_LIMIT) return 'too-large';
  return findInSchema(inputSchema, 0);
}

function findInSchema(value: Json | undefined, depth: number): ToolProblem | null {
  if (depth > DEPTH_LIMIT) return 'unreadable-schema';
  if (Array.isArray(value)) return firstOf(value as readonly Json[], depth);
  if (typeof value !== 'object' || value === null) return null;
  const { $ref: ref, $dynamicRef: dynamicRef } = value as { $ref?: Json; $dynamicRef?: Json };
  if ([ref, dynamicRef].some((reference) => typeof reference === 'string' && !reference.startsWith('#'))) return 'remote-ref';
  return firstOf(Object.values(value), depth);
}

function firstOf(values: readonly (Json | undefined)[], depth: number): ToolProblem | null {
  for (const value of values) {
    const problem = findInSchema(value, depth + 1);
    if (problem) return problem;
  }
  return null;
}
