import { createAjvArgumentValidator } from '#lib/capabilities/adapters/ajv-argument-validator.ts';
import { type JsonObject, newId } from '#lib/kernel/index.ts';
import { createSdkConnector } from '#lib/mcp/adapters/sdk-connector.ts';

// What the protocol's conformance suite runs as "the client": our connection to the server at the address it gives. It lists
// the tools and calls each, with a number for each number and a word for each text.
const validator = createAjvArgumentValidator();
const connector = createSdkConnector({
  fetch: globalThis.fetch,
  version: '0',
  findSchemaFault: (schema) => validator.findSchemaFault(schema),
  idleTimeoutMs: 20_000,
});
const url = new URL(process.argv.at(-1) ?? '');
const connection = await connector.connect(
  {
    tenantId: newId('tenant'),
    serverId: newId('mcpServer'),
    name: 'conformance',
    userId: null,
    revision: 1,
    signIn: null,
    reach: { transport: 'http', url, headers: {} },
  },
  { onToolsChanged: () => undefined, onClosed: () => undefined },
  AbortSignal.timeout(20_000),
);
const { tools } = await connection.listTools(AbortSignal.timeout(20_000));
for (const { name, definition } of tools) {
  await connection.callTool({
    name,
    definition,
    arguments: argumentsFor(definition.inputSchema),
    idempotencyKey: 'conformance',
    timeoutMs: 20_000,
    signal: AbortSignal.timeout(20_000),
    onProgress: () => undefined,
  });
}
await connection.close();
process.exit(0);

function argumentsFor({ properties }: JsonObject): JsonObject {
  const entries = typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(entries.map(([name, schema]) => [name, JSON.stringify(schema).includes('"number"') ? 5 : 'word']));
}
