import { ProtocolError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Json, JsonObject } from '#lib/kernel/index.ts';
import { READ_RESOURCE } from '../domain/resource-tools.ts';
import type { ToolContent, ToolResult } from '../domain/tool-result.ts';
import { listPages } from './list-pages.ts';
import { toResourceContent } from './sdk-content.ts';

/** More than these would fill a prompt; the answer says how many there are. */
const SHOWN_LIMIT = 200;
const DESCRIPTION_LIMIT = 300;
/** Of JSON-RPC. */
const METHOD_NOT_FOUND = -32_601;

const words = { name: z.string().catch(''), title: z.string().optional().catch(undefined), description: z.string().catch('') };
const resource = z.object({ ...words, uri: z.string().min(1), mimeType: z.string().optional().catch(undefined) });
const template = z.object({ ...words, uriTemplate: z.string().min(1) });
const content = z.object({
  uri: z.string().catch(''),
  mimeType: z.string().optional().catch(undefined),
  text: z.string().optional(),
  blob: z.string().optional(),
});

type Ask = (method: string, params: JsonObject) => Promise<{ readonly [key: string]: unknown; readonly nextCursor?: string | undefined }>;

/** Answers a call of one of `RESOURCE_TOOLS` from the server's resources. What `ask` rejects with is thrown as it is. */
export async function callResourceTool(ask: Ask, toolName: string, args: JsonObject): Promise<ToolResult> {
  const parts = toolName === READ_RESOURCE ? await read(ask, args.uri ?? '') : await list(ask);
  return { content: parts, structured: null, isError: false };
}

async function read(ask: Ask, uri: Json): Promise<ToolContent[]> {
  const { contents } = await ask('resources/read', { uri });
  return parseEach(content, contents).map(toResourceContent);
}

async function list(ask: Ask): Promise<ToolContent[]> {
  const resources = parseEach(resource, await listAll(ask, 'resources/list', 'resources'));
  const templates = parseEach(template, await listTemplates(ask));
  const text = [
    ...section(
      'Resources',
      resources.map((one) => [one.uri, one.mimeType ?? '', ...wordsOf(one)]),
    ),
    ...section(
      'Templates',
      templates.map((one) => [one.uriTemplate, ...wordsOf(one)]),
    ),
  ].join('\n');
  return [{ type: 'text', text: text || 'The server lists no resources.' }];
}

async function listAll(ask: Ask, method: string, key: string): Promise<unknown[]> {
  const { items } = await listPages(async (cursor) => {
    const answer = await ask(method, cursor === undefined ? {} : { cursor });
    const found = answer[key];
    return { items: Array.isArray(found) ? found : [], nextCursor: answer.nextCursor };
  });
  return items;
}

/** A server may have resources and no word for templates. */
async function listTemplates(ask: Ask): Promise<unknown[]> {
  try {
    return await listAll(ask, 'resources/templates/list', 'resourceTemplates');
  } catch (error) {
    if (error instanceof ProtocolError && error.code === METHOD_NOT_FOUND) return [];
    throw error;
  }
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.slice(0, SHOWN_LIMIT).map((row) => `- ${row.filter((word) => word !== '').join(' · ')}`);
  const left = rows.length - lines.length;
  return [`${title}:`, ...lines, ...(left > 0 ? [`(${left} more are left out)`] : [])];
}

function wordsOf({ name, title, description }: { name: string; title?: string | undefined; description: string }): string[] {
  return [title ?? name, description.slice(0, DESCRIPTION_LIMIT)];
}

/** One bad entry costs itself alone. */
function parseEach<Shape extends z.ZodType>(shape: Shape, entries: unknown): z.infer<Shape>[] {
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    const parsed = shape.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}
