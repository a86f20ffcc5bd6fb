import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { IDEMPOTENCY_META, type McpEndpoint } from '../ports.ts';

/** What one request may weigh. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * The official server's handling of one HTTP request, in the newest revision and those before it, without sessions. Handler,
 * server and transport are made for this request and no other.
 */
export function createSdkEndpoint({ version }: { version: string }): McpEndpoint {
  return {
    async answer(request, offer) {
      const handler = createMcpHandler(
        () => {
          const server = new Server({ name: 'bailiwick', title: 'Bailiwick', version }, { capabilities: { tools: {} } });
          server.setRequestHandler('tools/list', async () => ({
            tools: (await offer.list()).map(({ name, title, description, inputSchema, isReadOnly, isDestructive, isIdempotent }) => ({
              name,
              title,
              description,
              inputSchema: { ...inputSchema, type: 'object' as const },
              annotations: { readOnlyHint: isReadOnly, destructiveHint: isDestructive, idempotentHint: isIdempotent },
            })),
          }));
          server.setRequestHandler('tools/call', async ({ params }, context) => {
            const { _meta: meta } = params;
            const key = meta?.[IDEMPOTENCY_META];
            const result = await offer.call(params.name, JSON.parse(JSON.stringify(params.arguments ?? {})), {
              signal: context.mcpReq.signal,
              idempotencyKey: typeof key === 'string' ? key : undefined,
            });
            return {
              content: [{ type: 'text' as const, text: result.text }],
              ...(result.structured && { structuredContent: { ...result.structured } }),
              isError: result.isError,
            };
          });
          return server;
        },
        { maxRequestBodySize: BODY_LIMIT_BYTES },
      );
      return handler.fetch(request);
    },
  };
}
