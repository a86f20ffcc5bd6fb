import { z } from 'zod';
import { fromUuid } from '#lib/kernel/index.ts';
import type { McpCheck, McpReach, McpServer, McpTool, ToolDefinition } from '#lib/mcp/index.ts';

/** Column names as SQL has them: both the transaction's store and the pipelined reader read rows through these. */
const serverRow = z.object({
  id: z.string(),
  name: z.string(),
  transport: z.enum(['http', 'stdio']),
  url: z.string().nullable(),
  program: z.string().nullable(),
  auth: z.enum(['none', 'headers', 'oauth']),
  header_names: z.array(z.string()),
  encrypted_headers: z.string().nullable(),
  key_id: z.string().nullable(),
  client_id: z.string().nullable(),
  is_client_given: z.boolean(),
  encrypted_client: z.string().nullable(),
  client_key_id: z.string().nullable(),
  sign_in_scope: z.string().nullable(),
  timeout_ms: z.number(),
  is_enabled: z.boolean(),
  revision: z.number(),
  last_check: z.unknown(),
  next_check_at: z.coerce.date(),
  last_diff: z.unknown(),
  created_at: z.coerce.date(),
  updated_at: z.coerce.date(),
});

const check = z.object({
  at: z.coerce.date(),
  state: z.enum(['connected', 'failed', 'sign-in-needed']),
  error: z.string().nullable(),
  handshake: z.array(z.object({ step: z.enum(['initialize', 'list-tools']), ok: z.boolean(), detail: z.string(), ms: z.number() })),
  warnings: z.array(z.string()),
  stderr: z.string(),
  serverName: z.string().nullable(),
  serverVersion: z.string().nullable(),
  protocolVersion: z.string().nullable(),
  instructions: z.string().nullable(),
});

const diff = z.object({ at: z.string(), added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) });

const definition = z.object({
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: z.looseObject({ type: z.string() }),
  annotations: z.record(z.string(), z.unknown()).nullable(),
});

const toolRow = z.object({
  id: z.string(),
  name: z.string(),
  capability_name: z.string(),
  definition: z.unknown(),
  hash: z.string(),
  pending_definition: z.unknown(),
  pending_hash: z.string().nullable(),
  problem: z.enum(['not-an-object', 'remote-ref', 'too-large', 'unreadable-schema']).nullable(),
  is_listed: z.boolean(),
  is_enabled: z.boolean(),
  side_effect: z.enum(['read', 'write', 'destructive']),
  idempotency: z.enum(['idempotent', 'keyed', 'none']),
  accepted_at: z.coerce.date(),
});

export function toMcpServer(row: unknown): McpServer {
  const found = serverRow.parse(row);
  return {
    id: fromUuid('mcpServer', found.id),
    name: found.name,
    reach: toReach(found),
    auth: found.auth,
    headerNames: found.header_names,
    sealedHeaders: found.encrypted_headers && found.key_id ? { box: found.encrypted_headers, keyId: found.key_id } : null,
    signIn: found.auth === 'oauth' ? toSignIn(found) : null,
    timeoutMs: found.timeout_ms,
    isEnabled: found.is_enabled,
    revision: found.revision,
    check: readJson(found.last_check) === null ? null : (check.parse(readJson(found.last_check)) satisfies McpCheck),
    nextCheckAt: found.next_check_at,
    lastDiff: readJson(found.last_diff) === null ? null : diff.parse(readJson(found.last_diff)),
    createdAt: found.created_at,
    updatedAt: found.updated_at,
  };
}

function toSignIn(found: z.infer<typeof serverRow>): McpServer['signIn'] {
  const { client_id: clientId, is_client_given: isGiven, encrypted_client: box, client_key_id: keyId, sign_in_scope: scope } = found;
  return { clientId, isGiven, sealedClient: box && keyId ? { box, keyId } : null, scope };
}

function toReach({ transport, url, program }: z.infer<typeof serverRow>): McpReach {
  return transport === 'http' ? { transport, url: url ?? '' } : { transport, program: program ?? '' };
}

export function toMcpTool(row: unknown): McpTool {
  const found = toolRow.parse(row);
  return {
    id: fromUuid('mcpTool', found.id),
    name: found.name,
    capabilityName: found.capability_name,
    definition: toDefinition(found.definition),
    hash: found.hash,
    pending: found.pending_hash ? { definition: toDefinition(found.pending_definition), hash: found.pending_hash } : null,
    problem: found.problem,
    isListed: found.is_listed,
    isEnabled: found.is_enabled,
    sideEffect: found.side_effect,
    idempotency: found.idempotency,
    acceptedAt: found.accepted_at,
  };
}

function toDefinition(value: unknown): ToolDefinition {
  return definition.parse(readJson(value)) as ToolDefinition;
}

/** A driver may hand out jsonb as its text. */
function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : (value ?? null);
}
