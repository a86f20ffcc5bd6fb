import { type IdKind, newId } from '#lib/kernel/index.ts';
import { CATALOGUE } from '#lib/plugins/index.ts';
import type { Permission } from '#lib/tenancy/index.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One method of one route, with what e2e/tenancy.spec.ts needs to walk it. */
export interface ListedRoute {
  readonly method: Method;
  /** As the folder under app/api is named. */
  readonly path: string;
  /** `tenant`: for members with the permission. `account`: for whoever is signed in. `public`: for everyone. */
  readonly access: 'tenant' | 'account' | 'public';
  readonly permission?: Permission;
  /** Which kind of id each part of the path is. */
  readonly ids?: Readonly<Record<string, IdKind>>;
  /** Parts of the path that are the same for every tenant: ids of the catalogue. */
  readonly fixed?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** A body that is right in form. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const tenant = (method: Method, path: string, permission: Permission, more: Partial<ListedRoute> = {}): ListedRoute => ({
  method,
  path: `/api/t/[tenant]/${path}`,
  access: 'tenant',
  permission,
  ...more,
});
const account = (method: Method, path: string, more: Partial<ListedRoute> = {}): ListedRoute => ({
  method,
  path: `/api/${path}`,
  access: 'account',
  ...more,
});
const open = (method: Method, path: string, more: Partial<ListedRoute> = {}): ListedRoute => ({
  method,
  path: `/api/${path}`,
  access: 'public',
  ...more,
});

const mcpServer = { name: 'new-server', reach: { transport: 'http', url: 'https://mcp.example/mcp' } };
const embedding = { providerId: 'mdl_00000000000000000000000000000000', model: 'embedding-small' };
const provider = { kind: 'compatible', name: 'New provider', baseUrl: 'https://models.example/v1', model: 'm' };
const budget = { subject: 'session', measure: 'tokens', period: 'total', hardLimit: 1_000_000 };
const term = { term: 'PO', meaning: 'A purchase order.' };
/** One that nobody installs in the tenants that are walked. */
const plugin = { plugin: CATALOGUE.at(-1)?.id ?? 'NONE' };
const document = { title: 'T', language: 'en', body: '# T' };

/** Every method of every route. The spec fails when one is missing here, or is here and not there. */
export const ROUTES: readonly ListedRoute[] = [
  ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => open(method, '[[...rest]]')),
  open('GET', 'auth/[...nextauth]'),
  open('POST', 'auth/[...nextauth]'),
  ...(['GET', 'POST', 'DELETE'] as const).map((method) => open(method, 'mcp')),
  open('GET', 'healthz'),
  open('GET', 'readyz'),
  open('GET', 'metrics'),
  open('GET', 'address'),
  open('GET', 'openapi.json'),
  open('GET', 'welcome'),
  open('POST', 'welcome'),
  open('POST', 'invitations/accept'),
  open('POST', 'reset'),
  open('POST', 'oauth/clients'),
  open('POST', 'oauth/token'),

  account('GET', 'account'),
  account('PATCH', 'account', { body: {} }),
  account('POST', 'account/password', { body: { currentPassword: 'not it', newPassword: 'long enough, yes' } }),
  account('GET', 'account/programs'),
  account('DELETE', 'account/programs/[key]', { ids: { key: 'apiKey' } }),
  account('GET', 'account/sign-in-sessions'),
  account('DELETE', 'account/sign-in-sessions'),
  account('DELETE', 'account/sign-in-sessions/[id]', { ids: { id: 'signInSession' } }),

  account('GET', 'operator/accounts', { query: 'q=x@example.test' }),
  account('PATCH', 'operator/accounts/[user]', { ids: { user: 'user' }, body: { disabled: false } }),
  account('POST', 'operator/accounts/[user]/password-reset', { ids: { user: 'user' } }),
  account('GET', 'account/deletions'),
  account('GET', 'operator/tenants'),
  account('POST', 'operator/tenants', { body: { name: 'New', slug: 'a-new-one' } }),
  account('PATCH', 'operator/tenants/[id]', { ids: { id: 'tenant' }, body: { suspended: true } }),
  account('DELETE', 'operator/tenants/[id]', { ids: { id: 'tenant' }, query: 'confirm=never' }),
  account('GET', 'operator/health'),

  tenant('PATCH', 'workspace', 'tenant:update', { body: { name: 'Renamed' } }),
  tenant('DELETE', 'workspace', 'tenant:delete', { query: 'confirm=never' }),
  tenant('POST', 'program-authorizations', 'capability:invoke', {
    body: { clientId: 'cli_none', redirectUri: 'http://127.0.0.1/', codeChallenge: 'c'.repeat(43) },
  }),
  tenant('GET', 'access', 'member:read', { query: 'permission=tenant:read' }),
  tenant('GET', 'me', 'tenant:read'),
  tenant('GET', 'members', 'member:read'),
  tenant('POST', 'members', 'member:manage', {
    body: { email: 'x@example.test', name: 'X', password: 'long enough, yes', roleKey: 'member' },
  }),
  tenant('PATCH', 'members/[user]', 'member:manage', { ids: { user: 'user' }, body: { roleKey: 'member' } }),
  tenant('DELETE', 'members/[user]', 'member:manage', { ids: { user: 'user' } }),
  tenant('GET', 'invitations', 'member:manage'),
  tenant('POST', 'invitations', 'member:manage', { body: { roleKey: 'member' } }),
  tenant('DELETE', 'invitations/[invitation]', 'member:manage', { ids: { invitation: 'invitation' } }),
  tenant('POST', 'members/[user]/password-reset', 'member:manage', { ids: { user: 'user' } }),
  tenant('GET', 'group-roles', 'member:read'),
  tenant('PUT', 'group-roles', 'member:manage', { body: { groupRoles: [] } }),
  tenant('GET', 'roles', 'role:read'),
  tenant('POST', 'roles', 'role:manage', { body: { name: 'New role', permissions: ['tenant:read'] } }),
  tenant('PATCH', 'roles/[role]', 'role:manage', { ids: { role: 'role' }, body: { name: 'Renamed' } }),
  tenant('DELETE', 'roles/[role]', 'role:manage', { ids: { role: 'role' } }),
  tenant('GET', 'access-requests', 'tenant:read'),
  tenant('POST', 'access-requests', 'tenant:read', { body: { permission: 'tenant:delete', reason: 'To see.' } }),
  tenant('PATCH', 'access-requests/[request]', 'tenant:read', {
    ids: { request: 'accessRequest' },
    body: { decision: 'refuse', note: 'No.' },
  }),
  tenant('GET', 'permissions/[permission]', 'tenant:read', { fixed: { permission: 'run:audit' } }),
  tenant('PUT', 'role-view', 'role:manage', { body: { roleId: newId('role') } }),
  tenant('DELETE', 'role-view', 'role:manage'),
  tenant('GET', 'api-keys', 'api-key:manage'),
  tenant('POST', 'api-keys', 'api-key:manage', { body: { name: 'New key', scopes: ['tenant:read'] } }),
  tenant('DELETE', 'api-keys/[id]', 'api-key:manage', { ids: { id: 'apiKey' } }),
  tenant('GET', 'audit', 'audit:read'),

  tenant('GET', 'inbox', 'tenant:read'),
  tenant('POST', 'approvals/[approval]', 'tenant:read', { ids: { approval: 'approval' }, body: { decision: 'deny' } }),
  tenant('GET', 'approval-policies', 'capability:read'),
  tenant('PUT', 'approval-policies/[capability]', 'approval:manage', {
    fixed: { capability: 'time.now' },
    body: { mode: null, needsOther: false },
  }),
  tenant('GET', 'approval-grants', 'tenant:read'),
  tenant('DELETE', 'approval-grants/[grant]', 'tenant:read', { ids: { grant: 'approvalGrant' } }),
  tenant('GET', 'capabilities', 'capability:read'),
  tenant('GET', 'presets', 'conversation:read'),
  tenant('GET', 'sessions', 'conversation:read'),
  tenant('POST', 'sessions', 'conversation:write', { body: {} }),
  tenant('GET', 'sessions/[session]', 'conversation:read', { ids: { session: 'session' } }),
  tenant('PATCH', 'sessions/[session]', 'conversation:write', { ids: { session: 'session' }, body: { title: 'Renamed' } }),
  tenant('DELETE', 'sessions/[session]', 'conversation:write', { ids: { session: 'session' } }),
  tenant('PATCH', 'sessions/[session]/messages/[message]', 'conversation:write', {
    ids: { session: 'session', message: 'message' },
    body: { isPinned: true },
  }),
  tenant('POST', 'sessions/[session]/messages', 'conversation:write', { ids: { session: 'session' }, body: { text: 'hello' } }),

  tenant('GET', 'runs', 'run:read'),
  tenant('GET', 'runs/facets', 'run:read'),
  tenant('GET', 'runs/[run]', 'run:read', { ids: { run: 'run' } }),
  tenant('GET', 'runs/[run]/events', 'run:read', { ids: { run: 'run' } }),
  tenant('GET', 'runs/[run]/place', 'run:read', { ids: { run: 'run' } }),
  tenant('GET', 'runs/[run]/trace', 'run:read', { ids: { run: 'run' } }),
  tenant('GET', 'runs/[run]/invocations/[invocation]', 'run:read', { ids: { run: 'run', invocation: 'invocation' } }),
  tenant('POST', 'runs/[run]/reveal', 'run:reveal', { ids: { run: 'run' }, body: { reason: 'a complaint' } }),
  tenant('POST', 'runs/[run]/cancel', 'conversation:write', { ids: { run: 'run' } }),
  tenant('POST', 'runs/[run]/retry', 'conversation:write', { ids: { run: 'run' } }),
  tenant('POST', 'runs/[run]/answer', 'conversation:write', {
    ids: { run: 'run' },
    body: { questionId: 'qst_00000000000000000000000000000000', answer: 'retry' },
  }),
  tenant('GET', 'stream', 'run:read', { query: 'runs=' }),

  tenant('GET', 'figures', 'metrics:read'),
  tenant('GET', 'exports', 'audit:export'),
  tenant('POST', 'exports', 'audit:export', { body: { format: 'csv' } }),
  tenant('GET', 'exports/[export]', 'audit:export', { ids: { export: 'export' } }),
  tenant('DELETE', 'exports/[export]', 'audit:export', { ids: { export: 'export' } }),
  tenant('GET', 'exports/[export]/file', 'audit:export', { ids: { export: 'export' } }),

  tenant('POST', 'document-files', 'knowledge:write', { query: 'name=notes.txt', body: document }),
  tenant('POST', 'document-addresses', 'knowledge:write', { body: { url: 'http://127.0.0.1/nothing' } }),
  tenant('GET', 'documents', 'knowledge:read'),
  tenant('POST', 'documents', 'knowledge:write', { body: document }),
  tenant('GET', 'documents/[document]', 'knowledge:read', { ids: { document: 'document' } }),
  tenant('PUT', 'documents/[document]', 'knowledge:write', { ids: { document: 'document' }, body: { ...document, expectedVersion: 1 } }),
  tenant('DELETE', 'documents/[document]', 'knowledge:write', { ids: { document: 'document' } }),
  tenant('GET', 'terms', 'knowledge:read'),
  tenant('POST', 'terms', 'knowledge:write', { body: term }),
  tenant('GET', 'terms/[term]', 'knowledge:read', { ids: { term: 'term' } }),
  tenant('PUT', 'terms/[term]', 'knowledge:write', { ids: { term: 'term' }, body: { ...term, expectedVersion: 1 } }),
  tenant('DELETE', 'terms/[term]', 'knowledge:write', { ids: { term: 'term' } }),
  tenant('GET', 'facts', 'memory:read'),
  tenant('POST', 'facts', 'memory:write', { body: { text: 'A fact' } }),
  tenant('PUT', 'facts/[fact]', 'memory:write', { ids: { fact: 'fact' }, body: { text: 'Another fact' } }),
  tenant('DELETE', 'facts/[fact]', 'memory:write', { ids: { fact: 'fact' } }),

  tenant('GET', 'mcp/accounts', 'capability:invoke'),
  tenant('POST', 'mcp/accounts/[server]', 'capability:invoke', { ids: { server: 'mcpServer' } }),
  tenant('DELETE', 'mcp/accounts/[server]', 'capability:invoke', { ids: { server: 'mcpServer' } }),
  tenant('GET', 'mcp/sign-in', 'capability:invoke'),
  tenant('GET', 'mcp/servers', 'mcp:read'),
  tenant('POST', 'mcp/servers', 'mcp:manage', { body: mcpServer }),
  tenant('GET', 'mcp/servers/[server]', 'mcp:read', { ids: { server: 'mcpServer' } }),
  tenant('PATCH', 'mcp/servers/[server]', 'mcp:manage', { ids: { server: 'mcpServer' }, body: { isEnabled: false } }),
  tenant('DELETE', 'mcp/servers/[server]', 'mcp:manage', { ids: { server: 'mcpServer' } }),
  tenant('POST', 'mcp/servers/[server]/check', 'mcp:manage', { ids: { server: 'mcpServer' } }),
  tenant('PATCH', 'mcp/servers/[server]/tools/[tool]', 'mcp:manage', {
    ids: { server: 'mcpServer', tool: 'mcpTool' },
    body: { isEnabled: false },
  }),
  tenant('POST', 'mcp/servers/[server]/tools/[tool]/try', 'mcp:manage', {
    ids: { server: 'mcpServer', tool: 'mcpTool' },
    body: { arguments: {} },
  }),
  tenant('GET', 'budgets', 'budget:read'),
  tenant('POST', 'budgets', 'budget:manage', { body: budget }),
  tenant('PATCH', 'budgets/[budget]', 'budget:manage', { ids: { budget: 'budget' }, body: { softLimit: null, hardLimit: 5_000_000 } }),
  tenant('DELETE', 'budgets/[budget]', 'budget:manage', { ids: { budget: 'budget' } }),
  tenant('GET', 'notifications', 'tenant:read'),
  tenant('PUT', 'notifications/preference', 'tenant:read', { body: { approvals: true, questions: true, budgets: false } }),
  tenant('GET', 'notifications/webhook', 'tenant:update'),
  tenant('PUT', 'notifications/webhook', 'tenant:update', {
    body: { url: 'https://hooks.example/bailiwick', kinds: ['approval.requested'] },
  }),
  tenant('POST', 'notifications/webhook/secret', 'tenant:update'),
  tenant('POST', 'notifications/webhook/test', 'tenant:update'),
  tenant('GET', 'notifications/deliveries', 'tenant:update'),
  tenant('POST', 'notifications/deliveries/[delivery]/redeliver', 'tenant:update', { ids: { delivery: 'delivery' } }),
  tenant('DELETE', 'notifications/webhook', 'tenant:update'),
  tenant('GET', 'usage', 'budget:read'),
  tenant('GET', 'usage/file', 'budget:read'),
  tenant('GET', 'usage/tools', 'budget:read'),
  tenant('GET', 'sessions/[session]/budgets', 'conversation:read', { ids: { session: 'session' } }),
  tenant('GET', 'models', 'model:read'),
  tenant('PUT', 'models/policy', 'model:manage', { body: { isEnabled: true, fallsBack: true } }),
  tenant('GET', 'models/embedding', 'knowledge:read'),
  tenant('PUT', 'models/embedding', 'model:manage', { body: embedding }),
  tenant('DELETE', 'models/embedding', 'model:manage'),
  tenant('POST', 'models/embedding/test', 'model:manage', { body: embedding }),
  tenant('POST', 'models/providers', 'model:manage', { body: provider }),
  tenant('PATCH', 'models/providers/[provider]', 'model:manage', { ids: { provider: 'modelProvider' }, body: { name: 'Renamed' } }),
  tenant('DELETE', 'models/providers/[provider]', 'model:manage', { ids: { provider: 'modelProvider' } }),
  tenant('POST', 'models/providers/[provider]/test', 'model:manage', { ids: { provider: 'modelProvider' } }),

  tenant('GET', 'marketplace', 'plugin:read'),
  tenant('GET', 'marketplace/[plugin]', 'plugin:read', { fixed: plugin }),
  tenant('PATCH', 'marketplace/[plugin]', 'plugin:install', { fixed: plugin, body: { isEnabled: false } }),
  tenant('DELETE', 'marketplace/[plugin]', 'plugin:install', { fixed: plugin }),
  tenant('POST', 'marketplace/[plugin]/install', 'plugin:install', { fixed: plugin, body: { version: '0.0.0', permissions: [] } }),
  tenant('PUT', 'marketplace/[plugin]/configuration', 'plugin:install', { fixed: plugin, body: { configuration: {} } }),
  tenant('POST', 'marketplace/[plugin]/configuration/rollback', 'plugin:install', {
    fixed: plugin,
    body: { snapshotId: newId('pluginSnapshot') },
  }),
  tenant('POST', 'marketplace/[plugin]/requests', 'plugin:request', { fixed: plugin, body: { reason: 'For us' } }),
  tenant('GET', 'marketplace/requests', 'plugin:read'),
  tenant('PATCH', 'marketplace/requests/[request]', 'plugin:read', { ids: { request: 'pluginRequest' }, body: { decision: 'withdraw' } }),
  tenant('GET', 'marketplace/operations/[operation]', 'plugin:read', { ids: { operation: 'pluginOperation' } }),
];

/** The address of a route: its tenant, and for each other part an id. */
export function addressOf(route: ListedRoute, tenantSlug: string, idOf: (kind: IdKind) => string): string {
  const path = route.path.replace('[tenant]', tenantSlug).replace(/\[(\w+)\]/g, (part, name: string) => {
    const kind = route.ids?.[name];
    return kind ? idOf(kind) : (route.fixed?.[name] ?? part);
  });
  return route.query ? `${path}?${route.query}` : path;
}
