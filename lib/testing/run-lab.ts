import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { openDatabase } from '#db/client.ts';
import { createFiguresReader } from '#db/stores/figures-reader.ts';
import { createTenantFiguresReader } from '#db/stores/tenant-figures-reader.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { createBuiltInCapabilities, createCapabilityRegistry } from '#lib/capabilities/index.ts';
import { composeCapabilities, registerPlugins } from '#lib/composition/capabilities.ts';
import { composeKnowledge } from '#lib/composition/knowledge.ts';
import { composeMcp } from '#lib/composition/mcp.ts';
import { composeModels } from '#lib/composition/models.ts';
import { composePlugins } from '#lib/composition/plugins.ts';
import { createPresetBinder } from '#lib/composition/preset-bindings.ts';
import { composeRecord } from '#lib/composition/record.ts';
import { composeRuns } from '#lib/composition/runs.ts';
import { readConfig } from '#lib/config/index.ts';
import {
  checkpointThreadId,
  createSession,
  deleteSession,
  type GraphSink,
  listSessions,
  PLATFORM_PRESETS,
} from '#lib/conversations/index.ts';
import { prepareEngine } from '#lib/durable/adapters/prepare-engine.ts';
import { type Id, newId, systemClock, toUuid } from '#lib/kernel/index.ts';
import type { ModelChoice } from '#lib/models/index.ts';
import type { PluginManifest } from '#lib/plugins/index.ts';
import { type ExecutionPlan, listApprovalGrants, type RunEventView, revokeApprovalGrant } from '#lib/supervisor/index.ts';
import { log, setLogLevel } from '#lib/telemetry/index.ts';
import { type Actor, PERMISSIONS, type Permission } from '#lib/tenancy/index.ts';
import { createTestDatabase } from './database.ts';
import { createEffectCapabilities } from './effect-capabilities.ts';

export type RunLab = Awaited<ReturnType<typeof createRunLab>>;

/** A side effect as the server that counts them saw it. */
export interface CountedEffect {
  readonly label: string;
  readonly key: string;
  readonly runId: string;
}

/**
 * The run as the product wires it, in a database of the test's own: real engine, journal and invoker, the capabilities of
 * `effect-capabilities.ts`, and a plan scripted in the message: `capability label | capability label`. A run that stands still
 * is looked after twice a second. One lab a process: the engine is the process's.
 */
export async function createRunLab(
  options: {
    graphSink?: GraphSink;
    timeLimitMs?: number;
    manifests?: readonly PluginManifest[];
    hasBuiltIns?: boolean;
    /** With the MCP servers of its tenants. */
    hasMcp?: boolean;
    /** Runs that may be at work at once. */
    places?: number;
    /** Connections that requests and runs share. */
    connections?: number;
    /** Settings beside those of a lab. */
    environment?: Record<string, string>;
  } = {},
) {
  setLogLevel('silent');
  const effects = await startEffects();
  const testDatabase = await createTestDatabase();
  const { databaseUrl } = testDatabase;
  await prepareEngine({ databaseUrl });
  const owner = postgres(databaseUrl, { max: 2, onnotice: () => undefined });
  const database = openDatabase({ databaseUrl, role: 'bailiwick_app', max: options.connections ?? 5, name: 'test' });
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    BAILIWICK_SECRET: 'x'.repeat(40),
    RUN_TIME_LIMIT_MS: String(options.timeLimitMs ?? 2_000),
    RECONCILE_TICK_MS: '500',
    ...(options.places !== undefined && { MAX_ACTIVE_SEGMENTS: String(options.places) }),
    ...options.environment,
  });
  const unitOfWork = createUnitOfWork(database.orm, systemClock);
  const manifests = options.manifests ?? [];
  const plugins = composePlugins({ config, clock: systemClock, database, unitOfWork, manifests });
  const presets = [...PLATFORM_PRESETS, ...plugins.presets];
  const mcp = options.hasMcp ? composeMcp({ config, clock: systemClock, database, unitOfWork, fetch: globalThis.fetch }) : null;
  const registry = createCapabilityRegistry(plugins.access, mcp ? [mcp.source] : []);
  for (const capability of createEffectCapabilities(effects.url)) registry.register(capability);
  const { openEmbedding } = composeModels({ config, clock: systemClock, database, unitOfWork });
  const knowledge = composeKnowledge({ database, unitOfWork, clock: systemClock, fetch: globalThis.fetch, openEmbedding });
  const { host } = composeCapabilities({
    config,
    knowledge,
    catalogue: [],
    figures: createTenantFiguresReader(database.sql),
  });
  if (options.hasBuiltIns) for (const capability of createBuiltInCapabilities(host)) registry.register(capability);
  registerPlugins(registry, manifests, host);
  const { reconcilePlugins, ...marketplace } = plugins.useCases(host);
  let choice: ModelChoice = { status: 'unavailable', code: 'no-model' };
  const runs = await composeRuns({
    config,
    clock: systemClock,
    database,
    unitOfWork,
    actors: { actorOfRun: async ({ tenantId, userId }) => actorOf(tenantId, userId) },
    platformAudit: { record: async () => undefined },
    ontology: { describe: async () => ({ summary: 'nothing', revision: 'r1' }) },
    bindPreset: createPresetBinder({ catalogue: manifests, clock: systemClock, access: plugins.access }),
    presets,
    requirePreset: plugins.requirePreset(presets),
    reconcilePlugins,
    registry,
    plan: scriptedPlan,
    models: { find: async () => choice },
    counters: { exact: async () => null },
    searchDocuments: knowledge.passages.search,
    graphSink: options.graphSink,
  });
  await runs.start();
  await mcp?.start();

  async function addPerson(): Promise<Id<'user'>> {
    const userId = newId('user');
    await owner`insert into app_user (id, email, name) values (${toUuid(userId)}, ${`${userId}@example.com`}, 'Ada')`;
    return userId;
  }

  return {
    runs,
    marketplace,
    host,
    installedPluginIds: ({ scope }: Actor) => unitOfWork.within(scope, ({ installs }) => installs.listInstalledPluginIds()),
    approvalGrants: {
      list: (actor: Actor) => listApprovalGrants({ unitOfWork }, actor),
      revoke: (actor: Actor, id: Id<'approvalGrant'>) => revokeApprovalGrant({ unitOfWork }, actor, id),
    },
    saveDocument: knowledge.useCases.saveDocument,
    callDirectly: runs.callDirectly,
    /** Hands tasks on as the capability does, outside any call. */
    handOn: (of: { readonly actor: Actor; readonly runId: Id<'run'> }, tasks: readonly string[]) =>
      runs.taskRunner.handOn({ scope: of.actor.scope, runId: of.runId, invocationId: newId('invocation'), tasks }),
    listSessions: async (actor: Actor) => (await listSessions({ unitOfWork }, actor, {})).items,
    createSession: createSession.bind(null, { unitOfWork, log, presets }),
    removeSession: (actor: Actor, id: Id<'session'>) => deleteSession({ unitOfWork }, actor, id),
    /** As people read those runs. */
    record: composeRecord({
      ...runs.source,
      unitOfWork,
      clock: systemClock,
      revealLastsMs: 600_000,
      figures: createFiguresReader(database.sql),
    }),
    database,
    mcp: mcp?.useCases(registry, { listCapabilities: runs.listDirectCapabilities, call: runs.callDirectly }),
    /** Past row-level security: to look at what was written, or to do what only another process could. */
    owner,
    effects,

    /** Runs begun from here on have this model, or none. */
    useModel(next: ModelChoice): void {
      choice = next;
    },

    /** A session of a new person in a new tenant, or of one that is there; the plugin of its preset is installed. */
    async aSession(preset = 'default', of?: Actor): Promise<{ actor: Actor; sessionId: Id<'session'> }> {
      const { tenantId, userId } = of?.scope ?? { tenantId: newId('tenant'), userId: await addPerson() };
      const sessionId = newId('session');
      if (!of) await owner`insert into tenant (id, slug, name) values (${toUuid(tenantId)}, ${tenantId.slice(-20)}, 'T')`;
      await owner`
        insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
        values (${toUuid(tenantId)}, ${toUuid(sessionId)}, ${toUuid(userId)}, ${preset}, 'IDLE', '', ${checkpointThreadId(tenantId, sessionId)})`;
      const bringing = manifests.find(({ presets: brought }) => brought.some(({ key }) => key === preset));
      if (bringing) {
        const permissions = bringing.permissions.map(({ permission }) => permission);
        await owner`
          insert into tenant_plugin_install (tenant_id, plugin_id, version, is_enabled, permissions, settings, secrets, documents, installed_by)
          values (${toUuid(tenantId)}, ${bringing.id}, ${bringing.version}, true, ${permissions}, '{}', '{}', '[]', ${toUuid(userId)})`;
      }
      return { actor: actorOf(tenantId, userId), sessionId };
    },

    /** Somebody else in the same tenant. */
    async aColleague(of: Actor, permissions: readonly Permission[] = PERMISSIONS): Promise<Actor> {
      return { ...actorOf(of.scope.tenantId, await addPerson()), permissions: new Set(permissions) };
    },

    /** The run's log, to its end. */
    async readAll(actor: Actor, runId: Id<'run'>, after = 0): Promise<RunEventView[]> {
      const events: RunEventView[] = [];
      const signal = AbortSignal.timeout(60_000);
      for await (const batch of runs.tailRun({ scope: actor.scope, runId, after, signal })) events.push(...batch);
      return events;
    },

    /** Ends what drives the run, as a process that dies would: from here on all it writes is refused. */
    async cutOff(runId: Id<'run'>): Promise<void> {
      await owner`update run set epoch = epoch + 1 where id = ${toUuid(runId)}`;
    },

    async close(): Promise<void> {
      await mcp?.stop();
      await runs.stop(2_000);
      await database.close();
      await owner.end();
      effects.close();
      await testDatabase.drop();
    },
  };
}

/** Looks every few milliseconds until there is something to see. Throws after ten seconds. */
export async function eventually<Found>(
  look: () => Promise<Found | null | undefined | false> | Found | null | undefined | false,
): Promise<Found> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`never came true: ${look.toString()}`);
    await sleep(10);
  }
}

function actorOf(tenantId: Id<'tenant'>, userId: Id<'user'>): Actor {
  return {
    kind: 'user',
    scope: { tenantId, userId },
    displayName: 'Ada',
    email: 'ada@example.com',
    roleKey: 'member',
    roleName: 'Member',
    permissions: new Set(PERMISSIONS),
    locale: null,
    timeZone: 'UTC',
  };
}

function scriptedPlan({ message }: { message: string }): ExecutionPlan {
  const steps = message.split('|').map((part) => {
    const [capabilityId = '', ...rest] = part.trim().split(' ');
    const args = capabilityId === 'test.stream' ? { chunks: Number(rest[0]), delay: Number(rest[1] ?? 5) } : { label: rest.join(' ') };
    return { capabilityId, rationale: 'scripted', arguments: args, clause: part };
  });
  return {
    intent: { kind: 'task', confidence: 1, rationale: 'scripted' },
    steps,
    candidates: [],
    summary: `task (1.00): scripted -> ${steps.length} step(s)`,
  };
}

/** The server that side effects reach: it counts them, and fails or holds its answers back when told to. */
async function startEffects() {
  const counted: CountedEffect[] = [];
  const held = new Map<string, ServerResponse[]>();
  let failNext = 0;
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (failNext > 0) {
        failNext -= 1;
        response.writeHead(500).end();
        return;
      }
      const effect: CountedEffect = JSON.parse(body);
      counted.push(effect);
      const waiting = held.get(effect.label);
      if (waiting) waiting.push(response);
      else response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counted,
    of: (label: string) => counted.filter((effect) => effect.label === label),
    /** The next `count` requests answer 500 and have no effect. */
    failNext(count: number) {
      failNext = count;
    },
    /** Effects with this label happen, and their answers wait for `release`. */
    hold(label: string) {
      held.set(label, []);
    },
    release(label: string) {
      const waiting = held.get(label) ?? [];
      held.delete(label);
      for (const response of waiting) response.end('{}');
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
