import { openDatabase } from '#db/client.ts';
import { createFiguresReader } from '#db/stores/figures-reader.ts';
import { createTenantFiguresReader } from '#db/stores/tenant-figures-reader.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { explainAccess, listApprovalPolicies, setApprovalPolicy } from '#lib/capabilities/index.ts';
import { type Config, readConfig } from '#lib/config/index.ts';
import { createNeo4jGraphSink } from '#lib/conversations/adapters/neo4j-graph-sink.ts';
import {
  createSession,
  deleteSession,
  getTranscript,
  listPresets,
  listSessions,
  PLATFORM_PRESETS,
  pinMessage,
  updateSession,
} from '#lib/conversations/index.ts';
import { type Id, systemClock } from '#lib/kernel/index.ts';
import { CATALOGUE } from '#lib/plugins/index.ts';
import { listApprovalGrants, planRequest, revokeApprovalGrant } from '#lib/supervisor/index.ts';
import { log } from '#lib/telemetry/index.ts';
import { suspendTenant } from '#lib/tenancy/index.ts';
import { startBoundary } from './boundary.ts';
import { composeCapabilities } from './capabilities.ts';
import { composeDemoChats } from './demo-chats.ts';
import { composeEmbedding } from './embedding.ts';
import { composeExports } from './exports.ts';
import { composeHealth } from './health.ts';
import { composeKnowledge } from './knowledge.ts';
import { composeMcp } from './mcp.ts';
import { composeModels } from './models.ts';
import { composeNotifications } from './notifications.ts';
import { composeOAuth } from './oauth.ts';
import { composePlugins } from './plugins.ts';
import { createPresetBinder } from './preset-bindings.ts';
import { composeReadiness } from './readiness.ts';
import { composeRecord } from './record.ts';
import { composeRuns } from './runs.ts';
import { composeTenancy, isDemoWanted } from './tenancy.ts';

/** Everything the server can do, wired once. Each area has a file of its own beside this one. */
export async function createApplication(config: Config = readConfig()) {
  const clock = systemClock;
  const database = openDatabase({
    databaseUrl: config.databaseUrl,
    role: 'bailiwick_app',
    max: config.databasePoolSize,
    name: 'app',
  });
  const unitOfWork = createUnitOfWork(database.orm, clock);
  const tenancy = composeTenancy({ config, clock, database, unitOfWork });
  const models = composeModels({ config, clock, database, unitOfWork });
  const knowledge = composeKnowledge({ database, unitOfWork, clock, fetch: models.guardedFetch, openEmbedding: models.openEmbedding });
  const embedding = composeEmbedding({ config, clock, unitOfWork, openModel: models.openEmbedding });
  const plugins = composePlugins({ config, clock, database, unitOfWork, manifests: CATALOGUE });
  const mcp = composeMcp({ config, clock, database, unitOfWork, fetch: models.guardedFetch });
  const { registry, host } = composeCapabilities({
    config,
    knowledge,
    catalogue: CATALOGUE,
    figures: createTenantFiguresReader(database.sql),
    access: plugins.access,
    sources: [mcp.source],
  });
  const { reconcilePlugins, ...marketplace } = plugins.useCases(host);
  const presets = [...PLATFORM_PRESETS, ...plugins.presets];
  const runs = await composeRuns({
    config,
    clock,
    database,
    unitOfWork,
    registry,
    actors: tenancy,
    platformAudit: tenancy.platformAudit,
    ontology: knowledge.ontologyWith(registry),
    plan: planRequest,
    models: models.modelSource,
    counters: models.counters,
    searchDocuments: knowledge.passages.search,
    bindPreset: createPresetBinder({ catalogue: CATALOGUE, clock, access: plugins.access }),
    presets,
    requirePreset: plugins.requirePreset(presets),
    reconcilePlugins,
    graphSink: config.neo4j && createNeo4jGraphSink({ ...config.neo4j, fetch: models.guardedFetch }),
  });
  const access = {
    unitOfWork,
    actors: tenancy,
    findCapability: (tenantId: Id<'tenant'>, capabilityId: string) => registry.find(tenantId, capabilityId),
  };
  const record = composeRecord({
    ...runs.source,
    unitOfWork,
    clock,
    revealLastsMs: config.revealLastsMs,
    figures: createFiguresReader(database.sql),
  });
  const exports = composeExports({ ...runs.source, config, clock, unitOfWork, actors: tenancy });
  const notifications = composeNotifications({
    config,
    clock,
    unitOfWork,
    fetch: models.guardedFetch,
    nameCapability: async (tenantId, capabilityId, locale) =>
      (await registry.find(tenantId, capabilityId))?.metadata.title[locale] ?? capabilityId,
  });
  const conversations = { unitOfWork, log, presets };
  const demoChats = composeDemoChats({
    unitOfWork,
    ...tenancy,
    createSession: createSession.bind(null, conversations),
    submitMessage: runs.submitMessage,
  });
  return {
    config,
    clock,
    ...tenancy,
    ...composeOAuth({ config, clock, database, unitOfWork }),
    ...knowledge.useCases,
    ...models.useCases,
    ...withoutRawReading(runs),
    ...record,
    ...exports.useCases,
    ...notifications.useCases,
    findDemoChat: demoChats.findDemoChat,
    ...marketplace,
    ...mcp.useCases(registry, { listCapabilities: runs.listDirectCapabilities, call: runs.callDirectly }),
    listPresets: listPresets.bind(null, conversations),
    suspendTenant: suspendTenant({ clock, unitOfWork, stopRuns: runs.stopRunsOfTenant }),
    readHealth: composeHealth({ config, clock, engine: { isReady: runs.isEngineReady, activeSegments: runs.countActiveSegments } }),
    explainAccess: explainAccess.bind(null, access),
    listApprovalPolicies: listApprovalPolicies.bind(null, { unitOfWork, registry }),
    setApprovalPolicy: setApprovalPolicy.bind(null, { unitOfWork, registry }),
    listApprovalGrants: listApprovalGrants.bind(null, { unitOfWork }),
    revokeApprovalGrant: revokeApprovalGrant.bind(null, { unitOfWork }),
    createSession: createSession.bind(null, conversations),
    listSessions: listSessions.bind(null, conversations),
    getTranscript: getTranscript.bind(null, conversations),
    updateSession: updateSession.bind(null, conversations),
    pinMessage: pinMessage.bind(null, conversations),
    deleteSession: deleteSession.bind(null, conversations),
    checkReadiness: composeReadiness({ databaseUrl: config.databaseUrl, sql: database.sql, isEngineReady: runs.isEngineReady }),

    /** Lets requests in and drives runs. */
    async start() {
      startBoundary({ config, unitOfWork, tenancy });
      await runs.start();
      await mcp.start();
      exports.start();
      embedding.start();
      notifications.start();
      if (config.role !== 'worker') await announceSetupCode(tenancy);
      if (config.role !== 'worker' && isDemoWanted(config)) {
        // A demo without its first chats is still a demo.
        await demoChats.beginDemoChats().catch((error: unknown) => log.warn({ err: error }, 'the first chats of the demo were not begun'));
      }
    },
    async stop(drainMs: number) {
      await exports.stop();
      await embedding.stop();
      await notifications.stop();
      await runs.stop(drainMs);
      await mcp.stop();
      await database.close();
    },
  };
}

/** Runs are read through the record alone. */
function withoutRawReading({
  source: _source,
  taskRunner: _taskRunner,
  tailRun: _tailRun,
  ...runs
}: Awaited<ReturnType<typeof composeRuns>>) {
  return runs;
}

export type Application = Awaited<ReturnType<typeof createApplication>>;

/** Until there is an operator: what lets the first workspace be created from elsewhere than this machine. */
async function announceSetupCode({ issueSetupCode }: ReturnType<typeof composeTenancy>): Promise<void> {
  const code = await issueSetupCode();
  if (code) log.warn(`No workspace has been created yet. From another machine, /welcome asks for this one-time setup code: ${code}`);
}
