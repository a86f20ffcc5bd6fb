import type { CallToolResult } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Json, JsonObject } from '#lib/kernel/index.ts';
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

/** Reads one entry of a tool list; null: it has not even a name. `findFault` says why a schema cannot be used. */
export function readListedTool(entry: unknown, findFault: (schema: JsonObject) => string | null): ListedTool | null {
  const parsed = toolShape.safeParse(entry);
  if (!parsed.success) return null;
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
    case 'resource': {
      const { resource } = part;
      if ('text' in resource && typeof resource.text === 'string') return { type: 'text', text: resource.text };
      const blob = 'blob' in resource && typeof resource.blob === 'string' ? resource.blob : '';
      return { type: 'file', mimeType: resource.mimeType ?? 'application/octet-stream', sizeBytes: sizeOf(blob), name: resource.uri };
    }
    default:
      return { type: 'text', text: JSON.stringify(part satisfies Json | object) };
  }
}

/** Of base64. */
function sizeOf(data: string): number {
  return Math.floor((data.length * 3) / 4);
}
