import type { Capability, CapabilityCall, CapabilityOutput } from '#lib/capabilities/index.ts';
import { AppError, isAppError, type JsonObject, messageOf } from '#lib/kernel/index.ts';
import type { McpConnections } from './connections.ts';
import { McpConnectFailure, McpSessionLost } from './domain/connect-failure.ts';
import { plainName, RESOURCE_TOOL_WORDS_ZH } from './domain/resource-tools.ts';
import { textOf, toCapabilityOutput } from './domain/tool-result.ts';
import type { ServedTool } from './ports.ts';
import { resolveTarget, type TargetDependencies } from './targets.ts';

export interface ToolCallDependencies extends TargetDependencies {
  readonly connections: McpConnections;
}

/** Beyond the server's own limit, so that it is the one that ends a call and tells the server so. */
const LIMIT_MARGIN_MS = 2_000;
const ERROR_TEXT_LIMIT = 2_000;

/** The id under which planners, models and rules know a tool: its server's name first (requirement H-20). */
export function capabilityIdOf({ server, tool }: ServedTool): string {
  return `${server.name}.${tool.capabilityName}`;
}

/** A tool as a capability like any other; what it may do to the world is what an administrator has said of it. */
export function toCapability(dependencies: ToolCallDependencies, served: ServedTool): Capability {
  const { server, tool } = served;
  const name = plainName(tool.name);
  const title = tool.definition.title ?? name;
  const description = tool.definition.description || title;
  const inChinese = RESOURCE_TOOL_WORDS_ZH[tool.name] ?? { title, description };
  return {
    metadata: {
      id: capabilityIdOf(served),
      version: tool.hash.slice(0, 12),
      status: 'active',
      protocol: 'MCP',
      domain: server.name,
      title: { en: title, 'zh-CN': inChinese.title },
      description: { en: description, 'zh-CN': inChinese.description },
      keywords: [...new Set([name, ...wordsOf(name)])],
      examples: [],
      inputSchema: tool.definition.inputSchema,
      requiredPermissions: ['capability:invoke'],
      sideEffect: tool.sideEffect,
      idempotency: tool.idempotency,
      timeoutMs: server.timeoutMs + LIMIT_MARGIN_MS,
    },
    handler: (args, call) => callServedTool(dependencies, served, args, call),
  };
}

/** `get_weather`, `getWeather`: get, weather. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2);
}

/**
 * Calls the tool. A session that the server has forgotten is opened anew once; the call itself is repeated only where that is
 * safe (known fault K9). Throws `AppError` with a sentence for a person.
 */
async function callServedTool(
  dependencies: ToolCallDependencies,
  served: ServedTool,
  args: JsonObject,
  call: CapabilityCall,
): Promise<CapabilityOutput> {
  const { server, tool } = served;
  try {
    return await callOnce(dependencies, served, args, call);
  } catch (error) {
    if (!(error instanceof McpSessionLost)) throw toCallError(served, error);
    const isRepeatable = tool.sideEffect === 'read' || tool.idempotency !== 'none';
    if (!isRepeatable) {
      throw new AppError({
        code: 'capability_failed',
        message: `The MCP server ${server.name} lost the connection during the call (${error.message}). It was not repeated, since that may not be safe; ask again to connect anew.`,
        cause: error,
      });
    }
    return await callOnce(dependencies, served, args, call).catch((again: unknown) => {
      throw toCallError(served, again);
    });
  }
}

async function callOnce(
  dependencies: ToolCallDependencies,
  { server, tool }: ServedTool,
  args: JsonObject,
  call: CapabilityCall,
): Promise<CapabilityOutput> {
  const connection = await dependencies.connections.get(await resolveTarget(dependencies, call.scope, server));
  const result = await connection.callTool({
    name: tool.name,
    definition: tool.definition,
    arguments: args,
    idempotencyKey: call.idempotencyKey,
    timeoutMs: server.timeoutMs,
    signal: call.signal,
    onProgress: (progress) => call.reportProgress?.(progress),
  });
  if (!result.isError) return toCapabilityOutput(result);
  const said = textOf(result.content).slice(0, ERROR_TEXT_LIMIT) || 'it gave no reason';
  throw new AppError({ code: 'capability_failed', message: `${plainName(tool.name)} failed: ${said}` });
}

function toCallError({ server, tool }: ServedTool, error: unknown): AppError {
  if (error instanceof McpConnectFailure) {
    // Who has to sign in is told that and how, and nothing of connections.
    if (isAppError(error.cause) && error.cause.code === 'unauthenticated') return error.cause;
    const message = `The MCP server ${server.name} cannot be reached: ${error.message}`;
    return new AppError({ code: error.isUnauthorized ? 'unauthenticated' : 'unavailable', message, cause: error });
  }
  if (isAppError(error)) return error;
  return new AppError({
    code: 'capability_failed',
    message: `${capabilityIdOf({ server, tool })} failed: ${messageOf(error)}`,
    cause: error,
  });
}
