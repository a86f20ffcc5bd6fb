import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { LIST_RESOURCES, READ_RESOURCE } from '../domain/resource-tools.ts';
import { readListedTool } from './sdk-content.ts';
import { callResourceTool } from './sdk-resources.ts';

const noMethod = () => Promise.reject(new ProtocolError(ProtocolErrorCode.MethodNotFound, 'no such method'));
const aResource = (index: number) => ({ uri: `doc://${index}`, name: `doc ${index}`, mimeType: 'text/plain' });

it('resources are listed over all pages up to what a prompt takes, and bad entries cost themselves alone', async () => {
  const pages = [
    [{ name: 'no uri' }, { ...aResource(0), title: 'First', description: 'd'.repeat(900) }],
    Array.from({ length: 250 }, (_, index) => aResource(index + 1)),
  ];
  const { content } = await callResourceTool(
    async (method, { cursor }) => {
      if (method !== 'resources/list') return noMethod();
      return cursor === undefined ? { resources: pages[0], nextCursor: '2' } : { resources: pages[1] };
    },
    LIST_RESOURCES,
    {},
  );
  const [part] = content;
  const lines = part?.type === 'text' ? part.text.split('\n') : [];
  expect(lines.slice(0, 3)).toEqual([
    'Resources:',
    `- doc://0 · text/plain · First · ${'d'.repeat(300)}`,
    '- doc://1 · text/plain · doc 1',
  ]);
  expect([lines.length, lines.at(-1)]).toEqual([202, '(51 more are left out)']);
});

it('templates are listed beside them, and what the server refuses otherwise is its error', async () => {
  const templates = { resourceTemplates: [{ uriTemplate: 'doc://{id}', name: 'any', description: 'Any.' }] };
  const listed = await callResourceTool(async (method) => (method === 'resources/list' ? {} : templates), LIST_RESOURCES, {});
  expect(listed.content).toEqual([{ type: 'text', text: 'Templates:\n- doc://{id} · any · Any.' }]);
  const empty = await callResourceTool(async (method) => (method === 'resources/list' ? {} : noMethod()), LIST_RESOURCES, {});
  expect(empty.content).toEqual([{ type: 'text', text: 'The server lists no resources.' }]);
  await expect(callResourceTool(noMethod, LIST_RESOURCES, {})).rejects.toThrow('no such method');
});

it('a resource is read as text, and a binary told by its type and size', async () => {
  const contents = [{ uri: 'doc://1', text: '你好' }, { uri: 'doc://1.png', mimeType: 'image/png', blob: 'AAAAAAAA' }, 7];
  const asked: unknown[] = [];
  const ask = async (...request: unknown[]) => {
    asked.push(request);
    return { contents };
  };
  expect((await callResourceTool(ask, READ_RESOURCE, { uri: 'doc://1' })).content).toEqual([
    { type: 'text', text: '你好' },
    { type: 'file', mimeType: 'image/png', sizeBytes: 6, name: 'doc://1.png' },
  ]);
  expect(asked).toEqual([['resources/read', { uri: 'doc://1' }]]);
});

it('no tool of a server bears a name that is ours', () => {
  expect(readListedTool({ name: READ_RESOURCE, inputSchema: {} }, () => null)).toBeNull();
  expect(readListedTool({ name: 'read_resource', inputSchema: {} }, () => null)).toMatchObject({ name: 'read_resource' });
});
