import { AppError, type Id, type Json, type JsonObject } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { noServer } from './check-server.ts';
import type { TriedToolView, TryMcpTool } from './contract.ts';
import type { ManageServers } from './manage-servers.ts';
import { capabilityIdOf } from './mcp-capabilities.ts';
import type { ServeCapabilities } from './serve-capabilities.ts';

const GIVE_UP_MS = 60_000;

/**
 * Calls a tool once, now, through the invoker like every call: what it refuses to a run, it refuses here. Throws `not_found`.
 * What the tool did is done.
 */
export async function tryTool(
  { unitOfWork, call }: Pick<ManageServers, 'unitOfWork'> & Pick<ServeCapabilities, 'call'>,
  actor: Actor,
  ids: { readonly server: Id<'mcpServer'>; readonly tool: Id<'mcpTool'> },
  body: TryMcpTool,
): Promise<TriedToolView> {
  const capabilityId = await unitOfWork.within(actor.scope, async ({ mcpServers }) => {
    const server = await mcpServers.find(ids.server);
    if (!server) throw noServer();
    const tool = (await mcpServers.listTools(ids.server)).find(({ id }) => id === ids.tool);
    if (!tool) throw new AppError({ code: 'not_found', message: 'There is no such tool.' });
    return capabilityIdOf({ server, tool });
  });
  const started = performance.now();
  const outcome = await call(actor, { capabilityId, arguments: toJson(body.arguments), signal: AbortSignal.timeout(GIVE_UP_MS) });
  const ms = Math.round(performance.now() - started);
  if (outcome.status === 'succeeded') return { ok: true, code: null, message: null, text: outcome.text, output: { ...outcome.output }, ms };
  if ('code' in outcome) return { ok: false, code: outcome.code, message: outcome.message, text: '', output: {}, ms };
  return { ok: false, code: 'timeout', message: `It did not end within ${GIVE_UP_MS} ms.`, text: '', output: {}, ms };
}

/** It came as JSON. */
function toJson(value: Readonly<Record<string, unknown>>): JsonObject {
  return value as { readonly [key: string]: Json };
}
