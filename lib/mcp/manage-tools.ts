import { AppError, type Id } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { noServer } from './check-server.ts';
import type { McpToolView, UpdateMcpTool } from './contract.ts';
import type { McpTool } from './domain/tool.ts';
import { findToolProblem } from './domain/tool-schema.ts';
import type { ManageServers } from './manage-servers.ts';
import { toToolView } from './server-views.ts';

/**
 * What a workspace says of a tool: whether it is on, what it does to the world, whether it may be repeated; and that a changed
 * tool is accepted as it was shown. Throws `not_found`, and `conflict` when the server has said something else since.
 */
export async function updateTool(
  { unitOfWork, clock, isShadowed }: ManageServers,
  actor: Actor,
  ids: { readonly server: Id<'mcpServer'>; readonly tool: Id<'mcpTool'> },
  body: UpdateMcpTool,
): Promise<McpToolView> {
  return unitOfWork.within(actor.scope, async ({ mcpServers, audit }) => {
    const server = await mcpServers.lock(ids.server);
    if (!server) throw noServer();
    const known = (await mcpServers.listTools(ids.server)).find(({ id }) => id === ids.tool);
    if (!known) throw new AppError({ code: 'not_found', message: 'There is no such tool.' });
    const next: McpTool = {
      ...known,
      isEnabled: body.isEnabled ?? known.isEnabled,
      sideEffect: body.sideEffect ?? known.sideEffect,
      idempotency: body.idempotency ?? known.idempotency,
      ...(body.accept !== undefined && accept(known, body.accept, clock.now())),
    };
    await mcpServers.changeTool(ids.server, ids.tool, next);
    await mcpServers.announce();
    await audit.record({
      type: body.accept === undefined ? 'mcp-tool.updated' : 'mcp-tool.accepted',
      target: { kind: 'mcp-tool', id: ids.tool, name: `${server.name}.${known.capabilityName}` },
      details: { before: describeTool(known), after: describeTool(next) },
    });
    return toToolView(server, next, isShadowed);
  });
}

function accept({ pending }: McpTool, hash: string, now: Date): Partial<McpTool> {
  if (!pending || pending.hash !== hash) {
    throw new AppError({
      code: 'conflict',
      message: 'The server describes this tool otherwise by now. Look at it again before you accept it.',
    });
  }
  return { ...pending, problem: findToolProblem(pending.definition), pending: null, acceptedAt: now };
}

function describeTool({ isEnabled, sideEffect, idempotency, hash }: McpTool) {
  return { isEnabled, sideEffect, idempotency, hash };
}
