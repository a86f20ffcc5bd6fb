import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { getLocale } from 'next-intl/server';
import { cache } from 'react';
import type { AuditPage, AuditQuery } from '#lib/audit/contract.ts';
import { actorFromCookies } from '#lib/auth/index.ts';
import type { ApprovalPolicyView } from '#lib/capabilities/contract.ts';
import { application } from '#lib/composition/index.ts';
import type { PresetView, SessionPage, TranscriptView } from '#lib/conversations/contract.ts';
import { isAppError, parseId } from '#lib/kernel/index.ts';
import type { DocumentPage, DocumentSearchView, DocumentView, FactView, PassageView, TermList } from '#lib/knowledge/contract.ts';
import type { McpAccountsView, McpServerDetail, McpServersView } from '#lib/mcp/contract.ts';
import type { BudgetView, ModelsView } from '#lib/models/contract.ts';
import type { DeliveryPage, DeliveryQuery, NotificationsView, WebhookSettingView } from '#lib/notifications/contract.ts';
import type { ListPlugins, PluginPage, PluginRequestView, PluginView } from '#lib/plugins/contract.ts';
import type { ExportView, FiguresPeriod, FiguresView, ModelUsageView, RunTrace, UsageQuery } from '#lib/record/contract.ts';
import type { ApprovalGrantView, InboxView, RunEventView, RunListQuery, RunPage } from '#lib/supervisor/contract.ts';
import type {
  AccessQuery,
  AccessRequestView,
  AccessView,
  ApiKeyPage,
  GroupRolesView,
  InvitationPage,
  MemberPage,
  MeView,
  RolePage,
} from '#lib/tenancy/contract.ts';
import { type Actor, type Permission, requirePermission } from '#lib/tenancy/index.ts';

/** A page's content, or why its reader may not see it. Whatever is not theirs at all has already become "not found". */
export type Loaded<Value> = { isAllowed: true; value: Value } | { isAllowed: false; permission: string };

/** One page of a run's log, in the form the interface pages through it. */
export interface RunLog {
  items: RunEventView[];
  lastSeq: number;
}

/** What a page needs of a capability: its name and nothing of its workings. */
export interface CapabilityName {
  id: string;
  title: { en: string; 'zh-CN': string };
}

const EVENTS_PER_READ = 1000;
const ROWS_PER_PAGE = 50;
const DELIVERIES_PER_PAGE = 20;
/** Runs of a chat whose figures are read along with it. */
const SUMMARIES_PER_CHAT = 100;

/** The person in the workspace; sends strangers to sign in, and answers "not found" for workspaces that are not theirs. */
export const loadShell = cache(async (tenantSlug: string): Promise<MeView> => {
  const actor = await actorOf(tenantSlug);
  return application().getMe(actor);
});

export function loadSessions(tenantSlug: string): Promise<Loaded<SessionPage>> {
  return load(tenantSlug, 'conversation:read', (actor) => application().listSessions(actor, {}));
}

export async function loadPresets(tenantSlug: string): Promise<readonly PresetView[]> {
  return application().listPresets(await actorOf(tenantSlug));
}

/** The model that answers here now; null where the planner does. Every reader of an answer sees its model, so it asks for no right. */
export async function loadModelInUse(tenantSlug: string): Promise<string | null> {
  return application().findModelInUse(await actorOf(tenantSlug));
}

/** The address of the chat that a new person finds in the demo; null where there is none, or it was put away. */
export async function findSampleChatPath(tenantSlug: string): Promise<string | null> {
  const [actor, locale] = await Promise.all([actorOf(tenantSlug), getLocale()]);
  const id = await application().findDemoChat(actor, locale);
  return id === null ? null : `/${tenantSlug}/chat/${id}`;
}

/** Names of what the person may call; none where they may not ask. */
export async function loadCapabilityNames(tenantSlug: string): Promise<CapabilityName[]> {
  const actor = await actorOf(tenantSlug);
  if (!actor.permissions.has('capability:read')) return [];
  const capabilities = await application().listCapabilities(actor);
  return capabilities.map(({ id, title }) => ({ id, title: { en: title.en, 'zh-CN': title['zh-CN'] } }));
}

/** Every capability of the workspace that is on, whether or not the person may call it: what can be asked about. */
export async function loadCapabilities(tenantSlug: string): Promise<CapabilityName[]> {
  const actor = await actorOf(tenantSlug);
  if (!actor.permissions.has('capability:read')) return [];
  return (await application().listAllCapabilities(actor)).map(({ id, title }) => ({
    id,
    title: { en: title.en, 'zh-CN': title['zh-CN'] },
  }));
}

/** The people whose runs the person may see besides their own; none where they see their own only. */
export async function loadActorNames(tenantSlug: string): Promise<{ value: string; label: string }[]> {
  const actor = await actorOf(tenantSlug);
  if (!actor.permissions.has('run:audit') || !actor.permissions.has('member:read')) return [];
  const { items } = await application().listMembers(actor, { limit: 200 });
  return items.map(({ userId, name }) => ({ value: userId, label: name }));
}

export function loadTranscript(tenantSlug: string, session: string): Promise<Loaded<TranscriptView>> {
  return load(tenantSlug, 'conversation:read', (actor) => application().getTranscript(actor, parseId('session', session) ?? notFound()));
}

/** The figures of a chat's newest runs; none where the person may not read runs. */
export async function loadRunsOfSession(tenantSlug: string, session: string): Promise<RunPage> {
  const loaded = await loadRuns(tenantSlug, { session, limit: SUMMARIES_PER_CHAT });
  return loaded.isAllowed ? loaded.value : { items: [], nextCursor: null };
}

export function loadRuns(tenantSlug: string, query: RunListQuery): Promise<Loaded<RunPage>> {
  return load(tenantSlug, 'run:read', (actor) => application().listRuns(actor, query));
}

/** A run as its pictures need it; read once for the page and its title. */
export const loadTrace = cache(
  (tenantSlug: string, run: string): Promise<Loaded<RunTrace>> =>
    load(tenantSlug, 'run:read', (actor) => application().getTrace(actor, parseId('run', run) ?? notFound())),
);

/** The log of a run from the event after `after` on, at most a thousand entries. */
export function loadRunLog(tenantSlug: string, run: string, after = 0): Promise<Loaded<RunLog>> {
  return load(tenantSlug, 'run:read', async (actor) => {
    const runId = parseId('run', run) ?? notFound();
    return application().readRunEvents(actor, { runId, after, limit: EVENTS_PER_READ });
  });
}

export function loadActivity(tenantSlug: string, query: AuditQuery): Promise<Loaded<AuditPage>> {
  return load(tenantSlug, 'audit:read', (actor) => application().listAuditEvents(actor, query));
}

export function loadFigures(tenantSlug: string, period: FiguresPeriod): Promise<Loaded<FiguresView>> {
  return load(tenantSlug, 'metrics:read', (actor) => application().readFigures(actor, { period }));
}

export function loadExports(tenantSlug: string): Promise<Loaded<ExportView[]>> {
  return load(tenantSlug, 'audit:export', async (actor) => (await application().listExports(actor)).items);
}

export function loadDocuments(tenantSlug: string, cursor: string | undefined): Promise<Loaded<DocumentPage>> {
  return load(tenantSlug, 'knowledge:read', (actor) => application().listDocuments(actor, cursor === undefined ? {} : { cursor }));
}

export function loadDocument(tenantSlug: string, document: string): Promise<Loaded<DocumentView>> {
  return load(tenantSlug, 'knowledge:read', (actor) => application().getDocument(actor, parseId('document', document) ?? notFound()));
}

/** A passage that a link names; null where it names none that is there. */
export function loadPassage(tenantSlug: string, document: string, passage: string | undefined): Promise<Loaded<PassageView | null>> {
  return load(tenantSlug, 'knowledge:read', async (actor) => {
    const [documentId, chunkId] = [parseId('document', document), parseId('chunk', passage)];
    return documentId && chunkId ? application().findPassage(actor, { documentId, chunkId }) : null;
  });
}

export function loadTerms(tenantSlug: string): Promise<Loaded<TermList>> {
  return load(tenantSlug, 'knowledge:read', (actor) => application().listTerms(actor));
}

export function loadFacts(tenantSlug: string): Promise<Loaded<FactView[]>> {
  return load(tenantSlug, 'memory:read', async (actor) => (await application().listFacts(actor)).items);
}

export function loadInbox(tenantSlug: string): Promise<Loaded<InboxView>> {
  return load(tenantSlug, 'tenant:read', (actor) => application().readInbox(actor));
}

export function loadApprovalPolicies(tenantSlug: string): Promise<Loaded<ApprovalPolicyView[]>> {
  return load(tenantSlug, 'approval:manage', async (actor) => (await application().listApprovalPolicies(actor)).items);
}

export function loadApprovalGrants(tenantSlug: string): Promise<Loaded<ApprovalGrantView[]>> {
  return load(tenantSlug, 'tenant:read', async (actor) => (await application().listApprovalGrants(actor)).items);
}

export function loadModels(tenantSlug: string): Promise<Loaded<ModelsView>> {
  return load(tenantSlug, 'model:read', (actor) => application().getModels(actor));
}

export function loadDocumentSearch(tenantSlug: string): Promise<Loaded<DocumentSearchView>> {
  return load(tenantSlug, 'knowledge:read', (actor) => application().getDocumentSearch(actor));
}

export function loadBudgets(tenantSlug: string): Promise<Loaded<BudgetView[]>> {
  return load(tenantSlug, 'budget:read', async (actor) => (await application().listBudgets(actor)).items);
}

export function loadNotifications(tenantSlug: string): Promise<Loaded<NotificationsView>> {
  return load(tenantSlug, 'tenant:read', (actor) => application().getNotifications(actor));
}

/** The webhook, and what was sent by it and by mail. */
export function loadWebhook(
  tenantSlug: string,
  query: { state: DeliveryQuery['state']; cursor: string | undefined },
): Promise<Loaded<{ setting: WebhookSettingView; deliveries: DeliveryPage }>> {
  return load(tenantSlug, 'tenant:update', async (actor) => {
    const [setting, deliveries] = await Promise.all([
      application().getWebhook(actor),
      application().listDeliveries(actor, { ...query, limit: DELIVERIES_PER_PAGE }),
    ]);
    return { setting, deliveries };
  });
}

export function loadUsage(tenantSlug: string, query: UsageQuery): Promise<Loaded<ModelUsageView>> {
  return load(tenantSlug, 'budget:read', (actor) => application().viewModelUsage(actor, query));
}

export function loadMcpServers(tenantSlug: string): Promise<Loaded<McpServersView>> {
  return load(tenantSlug, 'mcp:read', (actor) => application().listMcpServers(actor));
}

export function loadMcpAccounts(tenantSlug: string): Promise<Loaded<McpAccountsView>> {
  return load(tenantSlug, 'capability:invoke', (actor) => application().listMcpAccounts(actor));
}

/** Read once a request: the page and its title both ask. */
export const loadMcpServer = cache((tenantSlug: string, server: string): Promise<Loaded<McpServerDetail>> => {
  return load(tenantSlug, 'mcp:read', (actor) => application().getMcpServer(actor, parseId('mcpServer', server) ?? notFound()));
});

export function loadPlugins(tenantSlug: string, query: ListPlugins): Promise<Loaded<PluginPage>> {
  return load(tenantSlug, 'plugin:read', (actor) => application().listPlugins(actor, query));
}

/** Read once a request: the page and its title both ask. */
export const loadPlugin = cache((tenantSlug: string, plugin: string): Promise<Loaded<PluginView>> => {
  return load(tenantSlug, 'plugin:read', (actor) => application().getPlugin(actor, plugin));
});

export function loadPluginRequests(tenantSlug: string): Promise<Loaded<PluginRequestView[]>> {
  return load(tenantSlug, 'plugin:read', async (actor) => (await application().listPluginRequests(actor, {})).items);
}

export interface MemberFilters {
  q?: string | undefined;
  role?: string | undefined;
  cursor?: string | undefined;
}

export function loadMembers(tenantSlug: string, filters: MemberFilters): Promise<Loaded<MemberPage>> {
  return load(tenantSlug, 'member:read', (actor) => application().listMembers(actor, { ...filters, limit: ROWS_PER_PAGE }));
}

export function loadInvitations(tenantSlug: string): Promise<Loaded<InvitationPage>> {
  return load(tenantSlug, 'member:manage', (actor) => application().listInvitations(actor, { limit: ROWS_PER_PAGE }));
}

/** Those that wait; none where the person does not decide them. */
export async function loadAccessRequests(tenantSlug: string): Promise<AccessRequestView[]> {
  const actor = await actorOf(tenantSlug);
  if (!actor.permissions.has('member:manage') || !actor.permissions.has('tenant:read')) return [];
  return (await application().listAccessRequests(actor, { state: 'OPEN' })).items;
}

export function loadRoles(tenantSlug: string): Promise<Loaded<RolePage>> {
  return load(tenantSlug, 'role:read', (actor) => application().listRoles(actor));
}

export function loadGroupRoles(tenantSlug: string): Promise<Loaded<GroupRolesView>> {
  return load(tenantSlug, 'member:read', (actor) => application().getGroupRoles(actor));
}

export function loadApiKeys(tenantSlug: string, cursor: string | undefined): Promise<Loaded<ApiKeyPage>> {
  return load(tenantSlug, 'api-key:manage', (actor) => application().listApiKeys(actor, { cursor, limit: ROWS_PER_PAGE }));
}

export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** A search parameter that is given once; undefined for any other. */
export function oneOf(parameter: string | string[] | undefined): string | undefined {
  return typeof parameter === 'string' && parameter !== '' ? parameter : undefined;
}

/** Why the person may or may not do what is asked about; null where nothing is. */
export function loadAccess(tenantSlug: string, query: AccessQuery): Promise<Loaded<AccessView | null>> {
  return load(tenantSlug, 'member:read', async (actor) => {
    requirePermission(actor, 'role:read');
    if (query.permission === undefined && query.capability === undefined) return null;
    return application().explainAccess(actor, query);
  });
}

async function load<Value>(tenantSlug: string, permission: Permission, read: (actor: Actor) => Promise<Value>): Promise<Loaded<Value>> {
  const actor = await actorOf(tenantSlug);
  try {
    requirePermission(actor, permission);
    return { isAllowed: true, value: await read(actor) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === 'not_found' || error.code === 'session_not_found') notFound();
    if (error.code === 'permission_denied') {
      const lacking = error.details?.permission;
      return { isAllowed: false, permission: typeof lacking === 'string' ? lacking : permission };
    }
    throw error;
  }
}

/** Read once a request, whatever the number of parts that ask. */
const findActor = cache(async (tenantSlug: string): Promise<Actor | 'signed-out' | 'not-found' | 'suspended'> => {
  try {
    return await actorFromCookies(tenantSlug);
  } catch (error) {
    if (isAppError(error) && error.code === 'unauthenticated') return 'signed-out';
    if (isAppError(error) && error.code === 'not_found') return 'not-found';
    if (isAppError(error) && error.code === 'tenant_suspended') return 'suspended';
    throw error;
  }
});

async function actorOf(tenantSlug: string): Promise<Actor> {
  const actor = await findActor(tenantSlug);
  if (actor === 'signed-out') {
    const path = (await headers()).get('x-own-path') ?? `/${tenantSlug}`;
    redirect(`/sign-in?callback=${encodeURIComponent(path)}`);
  }
  if (actor === 'not-found') notFound();
  if (actor === 'suspended') redirect(`/status/suspended?workspace=${encodeURIComponent(tenantSlug)}`);
  return actor;
}
