import type { ListedTool } from './tool.ts';

/** No tool of a server's own bears such a name: what stands under it is ours. */
const OWN_PREFIX = 'bailiwick/';
export const LIST_RESOURCES = `${OWN_PREFIX}list_resources`;
export const READ_RESOURCE = `${OWN_PREFIX}read_resource`;

/** Whether it is a name that we give, and a server cannot. */
export function isOwnName(toolName: string): boolean {
  return toolName.startsWith(OWN_PREFIX);
}

/** What a tool is called for people and in capability ids, where it is one of ours without the mark. */
export function plainName(toolName: string): string {
  return isOwnName(toolName) ? toolName.slice(OWN_PREFIX.length) : toolName;
}

/**
 * A server's resources as tools that stand in its list after its own, so that settings, sign-in, limits and records hold for
 * them as for any other. Where the server has a tool of the same name, ours gets a number.
 */
export const RESOURCE_TOOLS: readonly ListedTool[] = [
  {
    name: LIST_RESOURCES,
    definition: {
      title: 'List resources',
      description: 'Lists the resources that this server offers to read, with their URIs, and the templates of further URIs.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: null,
    },
    problem: null,
  },
  {
    name: READ_RESOURCE,
    definition: {
      title: 'Read a resource',
      description: 'Reads one resource of this server as text. What is no text is told by its type and size.',
      inputSchema: {
        type: 'object',
        properties: { uri: { type: 'string', minLength: 1, maxLength: 2_000, description: 'The URI, as the list or a template has it.' } },
        required: ['uri'],
        additionalProperties: false,
      },
      annotations: null,
    },
    problem: null,
  },
];

/** Chinese words for what is ours; a server's own stay as it says them. */
export const RESOURCE_TOOL_WORDS_ZH: Readonly<Record<string, { readonly title: string; readonly description: string }>> = {
  [LIST_RESOURCES]: { title: '列出资源', description: '列出此服务器可供读取的资源及其 URI，以及其他 URI 的模板。' },
  [READ_RESOURCE]: { title: '读取资源', description: '以文本形式读取此服务器的一个资源。非文本内容只给出类型和大小。' },
};
