import type { CallToolResult } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Json, JsonObject } from '#lib/kernel/index.ts';
import { isOwnName } from '../domain/resource-tools.ts';
import type { ListedTool, ToolDefinition } from '../domain/tool.ts';
import type { ToolContent, ToolResult } from '../domain/tool-result.ts';
import { findToolProblem } from '../domain/tool-schema.ts';

const NAME_LIMIT = 200;
const DESCRIPTION_LIMIT = 32_000;

const toolShape = z.object({
  name: z.string().min(1).max(NAME_LIMIT),
  title: z.string().max(NAME_LIMIT).optional().catch(undefined),
  description: z.string().max(DESCRIPTION_LIMIT).optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()).catch({}),
  annotations: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** Reads one entry of a tool list; null: it has no name, or one of ours. `findFault` says why a schema cannot be used. */
export function readListedTool(entry: unknown, findFault: (schema: JsonObject) => string | null): ListedTool | null {
  const parsed = toolShape.safeParse(entry);
  if (!parsed.success || isOwnName(parsed.data.name)) return null;
  const { name, title, description, inputSchema, annotations } = parsed.data;
  // A schema without a type, or without `properties`, means any object to its authors.
  const definition: ToolDefinition = {
    title: title ?? titleOf(annotations),
    description: description ?? '',
    inputSchema: { type: 'object', ...(inputSchema as JsonObject) },
    annotations: (annotations as JsonObject | undefined) ?? null,
  };
  const problem = findToolProblem(definition) ?? (findFault(definition.inputSchema) === null ? null : 'unreadable-schema');
  return { name, definition, problem };
}

function titleOf(annotations: Record<string, unknown> | undefined): string | null {
  const title = annotations?.title;
  return typeof title === 'string' && title !== '' ? title.slice(0, NAME_LIMIT) : null;
}

export function readToolResult(result: CallToolResult): ToolResult {
  return {
    content: result.content.map(toContent),
    structured: (result.structuredContent as JsonObject | undefined) ?? null,
    isError: result.isError === true,
  };
}

function toContent(part: CallToolResult['content'][number]): ToolContent {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
    case 'audio':
      return { type: part.type, mimeType: part.mimeType, sizeBytes: sizeOf(part.data), name: null };
    case 'resource_link':
      return { type: 'link', uri: part.uri, name: part.title ?? part.name };
    case 'resource':
      return toResourceContent(part.resource);
    default:
      return { type: 'text', text: JSON.stringify(part satisfies Json | object) };
  }
}

/** The text of a resource; what is none is told of. */
export function toResourceContent(resource: {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
}): ToolContent {
  const { uri, mimeType, text, blob } = resource;
  if (text !== undefined) return { type: 'text', text };
  return { type: 'file', mimeType: mimeType ?? 'application/octet-stream', sizeBytes: sizeOf(blob ?? ''), name: uri };
}

/** Of base64. */
function sizeOf(data: string): number {
  return Math.floor((data.length * 3) / 4);
}
