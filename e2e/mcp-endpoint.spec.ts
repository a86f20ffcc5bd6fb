import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { auditPage } from '#lib/audit/contract.ts';
import { expect, test } from './fixtures.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace } from './workspaces.ts';

type Negotiation = 'auto' | 'legacy';

/** The official client, as another program would use it. */
async function connect(origin: string, key: string, mode: Negotiation = 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/api/mcp', origin), { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  );
  return client;
}

const textOf = (result: Awaited<ReturnType<Client['callTool']>>) => {
  const [part] = result.content;
  return part?.type === 'text' ? part.text : '';
};

for (const mode of ['auto', 'legacy'] as const) {
  test(`another program uses the capabilities of a workspace by its key (${mode})`, async ({ origin, workspace }) => {
    const { key } = await workspace.createKey(['capability:read', 'capability:invoke']);
    const client = await connect(origin, key, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    const { tools } = await client.listTools();
    const calculate = tools.find(({ name }) => name === 'math.calculate');
    expect(calculate).toMatchObject({ annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } });
    expect(JSON.stringify(calculate)).not.toContain('"x-');
    const answer = await client.callTool({ name: 'math.calculate', arguments: { expression: '17*2' } });
    expect([answer.isError ?? false, textOf(answer)]).toEqual([false, expect.stringContaining('34')]);
    // Told in the answer, so that a model can mend it.
    expect(await client.callTool({ name: 'math.calculate', arguments: {} })).toMatchObject({ isError: true });
    expect(textOf(await client.callTool({ name: 'no.such', arguments: {} }))).toBe('unknown capability: no.such');
    await client.close();
    const { items } = await workspace.ownerApi.get('/audit?limit=50', auditPage);
    const rows = items.filter(({ details, target }) => details?.['via'] === 'mcp' && target.id === 'math.calculate');
    expect(rows.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['capability.invoked', 'capability.succeeded', 'capability.rejected']),
    );
  });
}

test('without a key, with a bad one, with a cookie alone, or without the right, nothing is served', async ({ origin, workspace }) => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${origin}/api/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
  for (const headers of [{}, { authorization: 'Bearer bw_nothing' }, workspace.ownerApi.identity]) {
    const answer = await ask(headers);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer resource_metadata="http/),
    ]);
  }
  const { key } = await workspace.createKey(['run:read']);
  expect((await ask({ authorization: `Bearer ${key}` })).status).toBe(403);
  const may = await workspace.createKey(['capability:invoke']);
  expect((await ask({ authorization: `Bearer ${may.key}`, origin: 'https://elsewhere.example' })).status).toBe(403);
});

verifies('K16', 'clients of two workspaces that call at once are never mixed up', async ({ origin }) => {
  const [a, b] = [await createWorkspace(origin), await createWorkspace(origin)];
  const keys = [(await a.createKey(['capability:invoke'])).key, (await b.createKey(['capability:invoke'])).key];
  const clients = await Promise.all(keys.map((key) => connect(origin, key)));
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const of = index % 2;
      const text = `${of}-${index}-${Math.random()}`;
      const answer = await clients[of]?.callTool({ name: 'echo', arguments: { text } });
      return { text, answer: answer ? textOf(answer) : '' };
    }),
  );
  for (const { text, answer } of answers) expect(answer).toContain(text);
  for (const workspace of [a, b]) {
    const { items } = await workspace.ownerApi.get('/audit?limit=200', auditPage);
    expect(items.filter(({ type, details }) => type === 'capability.succeeded' && details?.['via'] === 'mcp')).toHaveLength(30);
  }
});
