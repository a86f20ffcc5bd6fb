import type { TransactionSql } from 'postgres';
import { v7 as uuidv7 } from 'uuid';

/** One row of each table that others hang from. */
export interface ProbeParents {
  readonly user_id: string;
  /** Of somebody who is a member of the tenant already. */
  readonly member_user_id: string;
  readonly role_id: string;
  readonly session_id: string;
  readonly run_id: string;
  readonly message_id: string;
  readonly invocation_id: string;
  readonly document_id: string;
  readonly chunk_id: string;
  readonly export_id: string;
  readonly mcp_server_id: string;
  readonly budget_id: string;
  readonly model_provider_id: string;
  readonly embedding_space_id: string;
  readonly notice_id: string;
  readonly notice_delivery_id: string;
}

type Row = Record<string, string | number | boolean | null | string[]>;

/** Makes them in the tenant of the transaction. */
export async function seedParents(tx: TransactionSql, tenantId: string): Promise<ProbeParents> {
  const ids: ProbeParents = {
    user_id: uuidv7(),
    member_user_id: uuidv7(),
    role_id: uuidv7(),
    session_id: uuidv7(),
    run_id: uuidv7(),
    message_id: uuidv7(),
    invocation_id: uuidv7(),
    document_id: uuidv7(),
    chunk_id: uuidv7(),
    export_id: uuidv7(),
    mcp_server_id: uuidv7(),
    budget_id: uuidv7(),
    model_provider_id: uuidv7(),
    embedding_space_id: uuidv7(),
    notice_id: uuidv7(),
    notice_delivery_id: uuidv7(),
  };
  await tx`insert into app_user ${tx({ id: ids.user_id, email: `${ids.user_id}@example.test`, name: 'Probe' })}`;
  const parents = [
    'role',
    'agent_session',
    'run',
    'invocation',
    'knowledge_document',
    'knowledge_chunk',
    'run_export',
    'mcp_server',
    'model_provider',
    'embedding_space',
    'notice',
    'notice_delivery',
  ] as const;
  const idOf = {
    role: ids.role_id,
    agent_session: ids.session_id,
    run: ids.run_id,
    invocation: ids.invocation_id,
    knowledge_document: ids.document_id,
    knowledge_chunk: ids.chunk_id,
    run_export: ids.export_id,
    mcp_server: ids.mcp_server_id,
    model_provider: ids.model_provider_id,
    embedding_space: ids.embedding_space_id,
    notice: ids.notice_id,
    notice_delivery: ids.notice_delivery_id,
  };
  for (const table of parents) await tx`insert into ${tx(table)} ${tx({ ...PROBES[table](tenantId, ids), id: idOf[table] })}`;
  await tx`insert into app_user ${tx({ id: ids.member_user_id, email: `${ids.member_user_id}@example.test`, name: 'Probe' })}`;
  await tx`insert into tenant_member ${tx({ tenant_id: tenantId, user_id: ids.member_user_id, role_id: ids.role_id })}`;
  await tx`insert into budget ${tx({ ...PROBES.budget(tenantId, ids), id: ids.budget_id })}`;
  return ids;
}

/**
 * A row of each tenant table, as its stores would write it. `row-level-security.integration.test.ts` fails when a tenant
 * table has none: whoever adds a table says here how one of its rows looks.
 */
export const PROBES = {
  agent_conversation_message: (tenant_id, { session_id, run_id }) => ({
    tenant_id,
    session_id,
    run_id,
    agent_id: `agent-${uuidv7()}`,
    turn_seq: 1,
    role: 'user',
    content: 'x',
    metadata: '{}',
  }),
  agent_session: (tenant_id, { user_id }) => {
    const id = uuidv7();
    return { tenant_id, id, user_id, preset: 'default', state: 'IDLE', title: '', checkpoint_thread_id: id };
  },
  api_key: (tenant_id, { user_id }) => ({ tenant_id, id: uuidv7(), user_id, name: 'x', hint: 'bw_x', scopes: ['run:read'] }),
  approval: (tenant_id, { run_id, invocation_id, user_id }) => ({
    tenant_id,
    id: uuidv7(),
    run_id,
    invocation_id,
    capability_id: 'x',
    capability_version: '1.0.0',
    arguments: '{}',
    arguments_hash: 'x',
    risk: 'write',
    reason: 'policy',
    needs_other: false,
    // One may be open for a call.
    state: 'DENIED',
    requested_by: user_id,
    expires_at: '2100-01-01T00:00:00Z',
  }),
  approval_grant: (tenant_id, { session_id, user_id }) => ({
    tenant_id,
    id: uuidv7(),
    session_id,
    capability_id: 'x',
    capability_version: '1.0.0',
    same_arguments: '{}',
    granted_by: user_id,
  }),
  keyed_call: (tenant_id) => ({
    tenant_id,
    caller: 'x',
    key: uuidv7(),
    invocation_id: uuidv7(),
    capability_id: 'x',
    arguments_hash: 'x',
    state: 'EXECUTING',
  }),
  approval_policy: (tenant_id, { user_id }) => ({ tenant_id, capability_id: uuidv7(), needs_other: false, updated_by: user_id }),
  audit_event: (tenant_id) => ({
    tenant_id,
    id: uuidv7(),
    type: 'x',
    actor_kind: 'system',
    actor_id: 'x',
    target_kind: 'x',
    target_id: 'x',
    payload: '{}',
    hash: 'x',
  }),
  budget: (tenant_id, { member_user_id }) => ({
    tenant_id,
    id: uuidv7(),
    subject: 'user',
    user_id: member_user_id,
    measure: 'money',
    // One of each kind.
    currency: uuidv7(),
    period: 'total',
    hard_limit: 1,
  }),
  budget_hold: (tenant_id, { run_id, budget_id, session_id }) => ({
    tenant_id,
    run_id,
    path: `x/${uuidv7()}`,
    budget_id,
    subject_id: session_id,
    period_start: '1970-01-01T00:00:00Z',
    amount: 1,
  }),
  budget_use: (tenant_id, { budget_id }) => ({ tenant_id, budget_id, subject_id: uuidv7(), period_start: '1970-01-01T00:00:00Z' }),
  invitation: (tenant_id, { role_id, user_id }) => ({
    tenant_id,
    id: uuidv7(),
    role_id,
    invited_by: user_id,
    expires_at: '2999-01-01T00:00:00Z',
  }),
  conversation_summary: (tenant_id, { session_id, run_id }) => ({
    tenant_id,
    session_id,
    run_id,
    path: uuidv7(),
    agent_id: 'x',
    source: 'extract',
    turns: '[]',
    step_count: 0,
    tokens_before: 2,
    tokens_after: 1,
  }),
  group_role: (tenant_id, { role_id }) => ({ tenant_id, group_name: uuidv7(), role_id, position: 0 }),
  invocation: (tenant_id, { run_id }) => ({
    tenant_id,
    id: uuidv7(),
    run_id,
    path: uuidv7(),
    step: 0,
    capability_id: 'x',
    state: 'REQUESTED',
    arguments: '{}',
    arguments_hash: 'x',
    idempotency_key: 'x',
  }),
  invocation_transition: (tenant_id, { invocation_id }) => ({
    tenant_id,
    invocation_id,
    seq: 1,
    to_state: 'REQUESTED',
    attempt: 0,
    reason: 'x',
  }),
  embedding_call: (tenant_id) => ({
    tenant_id,
    id: uuidv7(),
    provider: 'openai',
    model: 'x',
    purpose: 'query',
    text_count: 1,
    input_tokens: 1,
    is_estimated: true,
    claims: '[]',
    outcome: 'ok',
  }),
  embedding_space: (tenant_id, { model_provider_id }) => ({
    tenant_id,
    id: uuidv7(),
    provider_id: model_provider_id,
    model: 'x',
    // One space of each state.
    state: uuidv7(),
  }),
  knowledge_embedding: (tenant_id, { embedding_space_id, chunk_id }) => ({ tenant_id, embedding_space_id, chunk_id, embedding: '{1}' }),
  knowledge_chunk: (tenant_id, { document_id }) => ({
    tenant_id,
    id: uuidv7(),
    document_id,
    ordinal: ordinal(),
    section: '',
    text: 'x',
    token_count: 1,
  }),
  knowledge_document: (tenant_id) => ({ tenant_id, id: uuidv7(), title: 'x', language: 'en', body: 'x' }),
  knowledge_token: (tenant_id, { chunk_id }) => ({ tenant_id, token: 'x', chunk_id, count: 1 }),
  mcp_account: (tenant_id, { mcp_server_id, member_user_id }) => ({
    tenant_id,
    id: uuidv7(),
    server_id: mcp_server_id,
    user_id: member_user_id,
  }),
  mcp_server: (tenant_id) => ({
    tenant_id,
    id: uuidv7(),
    name: uuidv7(),
    transport: 'http',
    url: 'https://mcp.example/',
    auth: 'none',
    header_names: [],
    timeout_ms: 1000,
    is_enabled: true,
    revision: 1,
  }),
  mcp_tool: (tenant_id, { mcp_server_id }) => ({
    tenant_id,
    server_id: mcp_server_id,
    id: uuidv7(),
    name: uuidv7(),
    capability_name: uuidv7(),
    definition: '{}',
    hash: 'x',
    is_listed: true,
    is_enabled: true,
    side_effect: 'write',
    idempotency: 'none',
  }),
  message: (tenant_id, { session_id, run_id }) => ({
    tenant_id,
    id: uuidv7(),
    session_id,
    run_id,
    role: 'user',
    text: 'x',
    state: 'complete',
  }),
  model_call: (tenant_id, { run_id }) => ({
    tenant_id,
    run_id,
    path: uuidv7(),
    agent_id: 'x',
    provider: 'x',
    model: 'x',
    response: '{}',
    input_tokens: 0,
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    is_estimated: false,
    attempts: 1,
    duration_ms: 1,
  }),
  model_price: (tenant_id, { model_provider_id }) => ({ tenant_id, provider_id: model_provider_id, valid_from: '2100-01-01T00:00:00Z' }),
  model_provider: (tenant_id) => ({ tenant_id, id: uuidv7(), kind: 'openai', name: uuidv7(), model: 'x', settings: '{}' }),
  node_record: (tenant_id, { run_id }) => ({ tenant_id, run_id, path: 'x', output: '{}' }),
  ontology_term: (tenant_id) => ({ tenant_id, id: uuidv7(), term: uuidv7(), meaning: 'x', synonyms: '[]' }),
  notice: (tenant_id, { user_id, run_id }) => ({ tenant_id, id: uuidv7(), kind: 'x', key: uuidv7(), run_id, user_id }),
  notice_attempt: (tenant_id, { notice_delivery_id }) => ({
    tenant_id,
    delivery_id: notice_delivery_id,
    ordinal: ordinal(),
    at: '2000-01-01T00:00:00Z',
    ok: true,
    detail: 'x',
    duration_ms: 1,
  }),
  notice_delivery: (tenant_id, { notice_id }) => ({
    tenant_id,
    id: uuidv7(),
    notice_id,
    // One of each kind for each recipient.
    channel: uuidv7(),
    state: 'DEAD',
    attempt_limit: 1,
    next_attempt_at: '2000-01-01T00:00:00Z',
  }),
  notice_preference: (tenant_id, { member_user_id }) => ({
    tenant_id,
    user_id: member_user_id,
    approvals: true,
    questions: true,
    budgets: true,
  }),
  notice_webhook: (tenant_id) => ({
    tenant_id,
    url: 'https://hooks.example/',
    kinds: ['x'],
    is_enabled: true,
    encrypted_secret: 'x',
    key_id: 'x',
  }),
  plugin_operation: (tenant_id, { user_id }) => ({
    tenant_id,
    id: uuidv7(),
    plugin_id: uuidv7(),
    kind: 'install',
    state: 'RUNNING',
    version: '1.0.0',
    permissions: [],
    settings: '{}',
    secrets: '{}',
    done: '[]',
    documents: '[]',
    requested_by: user_id,
    claim: uuidv7(),
  }),
  access_request: (tenant_id, { member_user_id: user_id }) => ({
    tenant_id,
    id: uuidv7(),
    user_id,
    permission: 'run:audit',
    reason: 'x',
    state: 'OPEN',
  }),
  plugin_request: (tenant_id, { user_id }) => ({ tenant_id, id: uuidv7(), plugin_id: uuidv7(), user_id, reason: 'x', state: 'OPEN' }),
  plugin_settings_snapshot: (tenant_id, { user_id }) => ({
    tenant_id,
    id: uuidv7(),
    plugin_id: 'X',
    version: '1.0.0',
    settings: '{}',
    secrets: '{}',
    created_by: user_id,
  }),
  question: (tenant_id, { run_id }) => ({
    tenant_id,
    id: uuidv7(),
    run_id,
    kind: 'unknown-outcome',
    text: 'x',
    options: '[]',
    state: 'OPEN',
  }),
  role: (tenant_id) => ({ tenant_id, id: uuidv7(), key: uuidv7(), name: 'x', permissions: ['run:read'] }),
  run: (tenant_id, { session_id, user_id, message_id }) => ({
    tenant_id,
    id: uuidv7(),
    session_id,
    user_id,
    message_id,
    preset: 'default',
    input: 'x',
    locale: 'en',
    time_zone: 'UTC',
    state: 'QUEUED',
    time_limit_ms: 1000,
  }),
  run_export: (tenant_id, { user_id }) => ({
    tenant_id,
    id: uuidv7(),
    user_id,
    format: 'json',
    has_bom: false,
    query: '{}',
    redaction: 'redacted',
    file_name: 'x',
    state: 'QUEUED',
  }),
  run_export_part: (tenant_id, { export_id }) => ({ tenant_id, export_id, ordinal: ordinal(), body: 'x' }),
  run_reveal: (tenant_id, { run_id, user_id }) => ({
    tenant_id,
    id: uuidv7(),
    run_id,
    user_id,
    reason: 'x',
    expires_at: '2100-01-01T00:00:00Z',
  }),
  run_word: (tenant_id, { run_id }) => ({ tenant_id, token: uuidv7(), run_id }),
  run_event: (tenant_id, { run_id }) => ({ tenant_id, run_id, seq: 1, type: 'x', payload: '{}' }),
  session_event: (tenant_id, { session_id }) => ({ tenant_id, session_id, seq: 1, type: 'x', payload: '{}' }),
  stored_fact: (tenant_id, { user_id }) => ({ tenant_id, id: uuidv7(), user_id, text: 'x' }),
  tenant_member: (tenant_id, { user_id, role_id }) => ({ tenant_id, user_id, role_id }),
  tenant_plugin_install: (tenant_id, { user_id }) => ({
    tenant_id,
    plugin_id: uuidv7(),
    version: '1.0.0',
    is_enabled: true,
    permissions: [],
    settings: '{}',
    secrets: '{}',
    documents: '[]',
    installed_by: user_id,
  }),
} as const satisfies Record<string, (tenantId: string, parents: ProbeParents) => Row>;

let lastOrdinal = 0;
function ordinal(): number {
  lastOrdinal += 1;
  return lastOrdinal;
}
