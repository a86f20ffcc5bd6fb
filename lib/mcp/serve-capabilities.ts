import type { CapabilityMetadata, InvocationOutcome } from '#lib/capabilities/index.ts';
import type { Json, JsonObject } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { McpEndpoint, OfferedTool } from './ports.ts';

export interface ServeCapabilities {
  readonly endpoint: McpEndpoint;
  /** Those that the actor may call. */
  readonly listCapabilities: (actor: Actor) => Promise<readonly CapabilityMetadata[]>;
  /** Through the invoker, like every call. */
  readonly call: (
    actor: Actor,
    call: {
      readonly capabilityId: string;
      readonly arguments: JsonObject;
      readonly idempotencyKey?: string | undefined;
      readonly signal: AbortSignal;
    },
  ) => Promise<InvocationOutcome>;
}

/**
 * Our capabilities as an MCP server, for one request of one actor: nothing of it is kept for the next, so no two clients can
 * meet in it (known fault K16). Tools of other MCP servers are not handed on: a workspace that added itself would grow without
 * end.
 */
export function serveCapabilities(
  { endpoint, listCapabilities, call }: ServeCapabilities,
  actor: Actor,
  request: Request,
): Promise<Response> {
  return endpoint.answer(request, {
    async list() {
      return (await listCapabilities(actor)).filter(isOwn).map((capability) => toTool(capability, actor.locale ?? 'en'));
    },
    async call(name, args, { signal, idempotencyKey }) {
      // Those of other servers are as unknown here as any other name.
      const isOffered = (await listCapabilities(actor)).some((capability) => capability.id === name && isOwn(capability));
      const outcome = isOffered ? await call(actor, { capabilityId: name, arguments: args, idempotencyKey, signal }) : null;
      if (outcome?.status === 'succeeded') return { text: outcome.text, structured: outcome.output, isError: false };
      const message = outcome && 'message' in outcome ? outcome.message : `unknown capability: ${name}`;
      return { text: message, structured: null, isError: true };
    },
  });
}

function isOwn({ protocol }: CapabilityMetadata): boolean {
  return protocol !== 'MCP';
}

function toTool(capability: CapabilityMetadata, locale: 'en' | 'zh-CN'): OfferedTool {
  return {
    name: capability.id,
    title: capability.title[locale],
    description: capability.description[locale],
    inputSchema: { ...(withoutHints(capability.inputSchema) as JsonObject), type: 'object' },
    isReadOnly: capability.sideEffect === 'read',
    isDestructive: capability.sideEffect === 'destructive',
    isIdempotent: capability.idempotency === 'idempotent',
  };
}

/** Our own annotations mean nothing to others. */
function withoutHints(schema: Json | undefined): Json | undefined {
  if (Array.isArray(schema)) return schema.map((item) => withoutHints(item as Json) ?? null);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutHints(value)]));
}
