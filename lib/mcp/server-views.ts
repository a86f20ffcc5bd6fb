import type { McpServerDetail, McpServerView, McpToolView } from './contract.ts';
import type { McpServer } from './domain/server.ts';
import { isCallable, type McpTool, type ToolDefinition } from './domain/tool.ts';
import { capabilityIdOf } from './mcp-capabilities.ts';
import type { McpServerStore } from './ports.ts';

export interface ServerFigures {
  readonly tools: { readonly listed: number; readonly waiting: number } | undefined;
  readonly calls: { readonly calls: number; readonly failed: number; readonly p95Ms: number | null } | undefined;
}

export async function readFigures(store: McpServerStore): Promise<(server: McpServer) => ServerFigures> {
  const [tools, calls] = [await store.countTools(), await store.readFigures()];
  return ({ id, name }) => ({ tools: tools.get(id), calls: calls.get(name) });
}

export function toServerView(server: McpServer, { tools, calls }: ServerFigures): McpServerView {
  const { id, name, reach, auth, headerNames, signIn, timeoutMs, isEnabled, check, nextCheckAt, lastDiff, updatedAt } = server;
  return {
    id,
    name,
    transport: reach.transport,
    url: reach.transport === 'http' ? reach.url : null,
    program: reach.transport === 'stdio' ? reach.program : null,
    auth,
    headerNames: [...headerNames],
    signIn: signIn && { clientId: signIn.clientId, isGiven: signIn.isGiven, scope: signIn.scope },
    timeoutMs,
    isEnabled,
    state: check?.state ?? 'unchecked',
    lastCheckAt: check?.at.toISOString() ?? null,
    // Where people sign in, nobody's account is used to look by itself.
    nextCheckAt: isEnabled && auth !== 'oauth' ? (nextCheckAt?.toISOString() ?? null) : null,
    error: check?.error ?? null,
    warnings: [...(check?.warnings ?? [])],
    tools: { listed: tools?.listed ?? 0, waiting: tools?.waiting ?? 0 },
    calls: { count: calls?.calls ?? 0, failed: calls?.failed ?? 0, p95Ms: calls?.p95Ms ?? null },
    lastDiff: lastDiff && { at: lastDiff.at, added: [...lastDiff.added], removed: [...lastDiff.removed], changed: [...lastDiff.changed] },
    updatedAt: updatedAt.toISOString(),
  };
}

/** `isShadowed` tells of an id that somebody else's capability has. */
export function toServerDetail(
  server: McpServer,
  figures: ServerFigures,
  tools: readonly McpTool[],
  isShadowed: (capabilityId: string) => boolean,
): McpServerDetail {
  const { check } = server;
  return {
    ...toServerView(server, figures),
    handshake: (check?.handshake ?? []).map((step) => ({ ...step })),
    stderr: check?.stderr ?? '',
    serverName: check?.serverName ?? null,
    serverVersion: check?.serverVersion ?? null,
    protocolVersion: check?.protocolVersion ?? null,
    instructions: check?.instructions ?? null,
    toolList: tools.map((tool) => toToolView(server, tool, isShadowed)),
  };
}

export function toToolView(server: McpServer, tool: McpTool, isShadowed: (capabilityId: string) => boolean): McpToolView {
  const { id, name, hash, pending, problem, isListed, isEnabled, sideEffect, idempotency, acceptedAt } = tool;
  const capabilityId = capabilityIdOf({ server, tool });
  return {
    id,
    name,
    capabilityId,
    isShadowed: isShadowed(capabilityId),
    definition: toDefinitionView(tool.definition),
    hash,
    pending: pending && { definition: toDefinitionView(pending.definition), hash: pending.hash },
    problem,
    isListed,
    isEnabled,
    isCallable: server.isEnabled && isCallable(tool),
    sideEffect,
    idempotency,
    acceptedAt: acceptedAt.toISOString(),
  };
}

function toDefinitionView({ title, description, inputSchema, annotations }: ToolDefinition): McpToolView['definition'] {
  return { title, description, inputSchema: { ...inputSchema }, annotations: annotations && { ...annotations } };
}
