import { faultPoint, type Id, isAppError, messageOf, newId, type TenantScope } from '#lib/kernel/index.ts';
import { indexDocument } from '#lib/knowledge/index.ts';
import type { PluginInstall } from './domain/installation.ts';
import type { PluginManifest } from './domain/manifest.ts';
import { nextStage, type OperationStage, operationTransitions, type PluginOperation, type ProvidedDocument } from './domain/operation.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';
import type { OperationClaim, PluginStores } from './ports.ts';
import { requireManifest } from './require-manifest.ts';
import { openSettings, requireValid } from './settings.ts';

interface Claimed {
  readonly scope: TenantScope & { readonly userId: Id<'user'> };
  readonly id: Id<'pluginOperation'>;
  readonly claim: OperationClaim;
}

/** What a stage has to do with: the operation as it stands, the plugin, and what was installed before. */
interface StageWork {
  readonly scope: Claimed['scope'];
  readonly operation: PluginOperation;
  readonly manifest: PluginManifest;
  readonly stores: PluginStores;
}

/** How often whoever carries an operation on says that it still does. */
export const HEARTBEAT_MS = 1_000;
/** A plugin's own check may take this long. */
const CHECK_LIMIT_MS = 10_000;

/**
 * Carries an operation on from its row, stage by stage, until it ends. Each stage commits its effect and its record together,
 * so that another process can go on after any of them. A stage that fails takes everything back, in one transaction, and the
 * operation ends naming it. Never throws: when the database is away or another process has the claim, the row stays as it is.
 */
export async function driveOperation(dependencies: PluginDependencies, claimed: Claimed): Promise<void> {
  try {
    for (let stage = await stageOf(dependencies, claimed); stage; stage = await stageOf(dependencies, claimed)) {
      const current = stage;
      try {
        await runStage(dependencies, claimed, current);
      } catch (error) {
        if (isInterrupted(error)) throw error;
        return await rollBack(dependencies, claimed, { stage: current, message: messageOf(error) });
      }
      faultPoint(`plugin.${current}`);
    }
  } catch (error) {
    dependencies.log.warn({ operationId: claimed.id, error: messageOf(error) }, 'a plugin operation was left to whoever finds it');
  }
}

/** The row is another's by now, or cannot be reached: neither says anything about the stage. */
function isInterrupted(error: unknown): boolean {
  return isAppError(error) && (error.code === 'stale_epoch' || error.code === 'unavailable');
}

async function stageOf({ unitOfWork }: PluginDependencies, { scope, id }: Claimed): Promise<OperationStage | null> {
  const operation = await unitOfWork.within(scope, ({ pluginOperations }) => pluginOperations.find(id));
  return operation?.state === 'RUNNING' ? nextStage(operation) : null;
}

async function runStage(dependencies: PluginDependencies, { scope, id, claim }: Claimed, stage: OperationStage): Promise<void> {
  const { unitOfWork, catalogue, clock } = dependencies;
  // What is slow and not ours runs before the transaction, never inside it.
  if (stage === 'check') await checkPlugin(dependencies, { scope, id, claim });
  await unitOfWork.within(scope, async (stores) => {
    const operation = await stores.pluginOperations.hold(id, claim);
    const manifest = requireManifest(catalogue, operation.pluginId);
    const change = await STAGES[stage](dependencies, { scope, operation, manifest, stores });
    faultPoint(`plugin.${stage}-unrecorded`);
    await stores.pluginOperations.update({
      ...operation,
      ...change,
      done: [...operation.done, { stage, at: clock.now().toISOString() }],
    });
  });
}

type Stage = (dependencies: PluginDependencies, work: StageWork) => Promise<Partial<PluginOperation>>;

const STAGES: { readonly [Name in OperationStage]: Stage } = { verify, configure, knowledge, check: async () => ({}), activate };

/** The catalogue still has what was consented to, and what it depends on is in use. */
async function verify(_dependencies: PluginDependencies, { operation, manifest, stores }: StageWork): Promise<Partial<PluginOperation>> {
  if (manifest.version !== operation.version)
    throw new Error(`the catalogue has ${manifest.version} by now, and ${operation.version} was consented to`);
  for (const needed of manifest.dependsOn ?? []) {
    const install = await stores.installs.find(needed);
    if (!install) throw new Error(`it needs ${needed}, which is not installed`);
    if (!install.isEnabled) throw new Error(`it needs ${needed}, which is disabled`);
  }
  return {};
}

async function configure(dependencies: PluginDependencies, { scope, operation, manifest }: StageWork): Promise<Partial<PluginOperation>> {
  requireValid(dependencies, scope.tenantId, manifest, operation.settings);
  return {};
}

/** Puts the plugin's documents beside those of the version before, which go when the new one is switched on. */
async function knowledge(_dependencies: PluginDependencies, { manifest, stores }: StageWork): Promise<Partial<PluginOperation>> {
  const documents: ProvidedDocument[] = [];
  for (const { key, title, language, body } of manifest.documents) {
    const id = newId('document');
    const saved = await stores.documents.put({
      document: { id, title, language, body },
      chunks: indexDocument(title, body),
      expectedVersion: null,
    });
    await stores.audit.record({
      type: 'document.created',
      target: { kind: 'document', id, name: title },
      details: { pluginId: manifest.id, language },
    });
    documents.push({ key, documentId: id, version: saved.version });
  }
  return { documents };
}

/** The plugin says itself whether it can work with what is set: an address that answers, a key that is taken. */
async function checkPlugin(dependencies: PluginDependencies, { scope, id, claim }: Claimed): Promise<void> {
  const { unitOfWork } = dependencies;
  const operation = await unitOfWork.within(scope, ({ pluginOperations }) => pluginOperations.hold(id, claim));
  const manifest = requireManifest(dependencies.catalogue, operation.pluginId);
  if (!manifest.check) return;
  const signal = AbortSignal.timeout(CHECK_LIMIT_MS);
  const configuration = openSettings(dependencies, scope.tenantId, manifest, operation.settings);
  const beat = setInterval(() => {
    // A lost beat is made up by the next; a lost claim shows when the stage is recorded.
    unitOfWork.within(scope, ({ pluginOperations }) => pluginOperations.beat(id, claim)).catch(() => undefined);
  }, HEARTBEAT_MS);
  const tooLong = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`its own check did not end within ${CHECK_LIMIT_MS / 1000} s`)), {
      once: true,
    });
  });
  try {
    await Promise.race([manifest.check(dependencies.host, { scope, configuration, signal }), tooLong]);
  } finally {
    clearInterval(beat);
  }
}

/** The switch: from this commit on its capabilities and presets exist here, and whoever asked for it has it. */
async function activate({ clock }: PluginDependencies, { operation, manifest, stores }: StageWork): Promise<Partial<PluginOperation>> {
  operationTransitions.assert(operation.state, 'SUCCEEDED');
  const now = clock.now();
  const before = await stores.installs.lock(manifest.id);
  await removeUnchanged(stores, before?.documents ?? [], manifest.id);
  await stores.installs.install(toInstall(operation, before, now));
  await stores.pluginSnapshots.add({
    id: newId('pluginSnapshot'),
    pluginId: manifest.id,
    version: operation.version,
    settings: operation.settings,
    createdBy: operation.requester.userId,
    createdAt: now,
  });
  await stores.audit.record({
    type: operation.kind === 'upgrade' ? 'plugin.upgraded' : 'plugin.installed',
    target: { kind: 'plugin', id: manifest.id, name: manifest.name.en },
    details: {
      operationId: operation.id,
      version: operation.version,
      permissions: [...operation.permissions],
      documents: operation.documents.length,
      ...(before && { before: { version: before.version, permissions: [...before.permissions] } }),
    },
  });
  await approveRequests(stores, operation, now);
  return { state: 'SUCCEEDED', endedAt: now };
}

function toInstall(operation: PluginOperation, before: PluginInstall | null, now: Date): PluginInstall {
  return {
    pluginId: operation.pluginId,
    version: operation.version,
    isEnabled: before?.isEnabled ?? true,
    permissions: operation.permissions,
    settings: operation.settings,
    documents: operation.documents,
    installedBy: before?.installedBy ?? operation.requester.userId,
    installedAt: before?.installedAt ?? now,
    updatedAt: now,
  };
}

/** To install what was asked for is to approve the request. */
async function approveRequests({ pluginRequests, audit }: PluginStores, operation: PluginOperation, now: Date): Promise<void> {
  for (const request of await pluginRequests.listOpenFor(operation.pluginId)) {
    await pluginRequests.update({ ...request, state: 'APPROVED', decidedBy: operation.requester.userId, decidedAt: now });
    await audit.record({
      type: 'plugin.request-approved',
      target: { kind: 'plugin', id: operation.pluginId },
      details: { requestId: request.id, by: request.userId, operationId: operation.id },
    });
  }
}

/** Takes out the documents of a plugin that nobody has changed; the others are people's by now. Returns how many went. */
export async function removeUnchanged(
  { documents, audit }: Pick<PluginStores, 'documents' | 'audit'>,
  provided: readonly ProvidedDocument[],
  pluginId: string,
): Promise<number> {
  let count = 0;
  for (const { documentId, version } of provided) {
    const document = await documents.find(documentId);
    if (document?.version !== version || !(await documents.delete(documentId))) continue;
    await audit.record({
      type: 'document.deleted',
      target: { kind: 'document', id: documentId, name: document.title },
      details: { pluginId },
    });
    count += 1;
  }
  return count;
}

/** Nothing was switched on yet: what the stages have put in comes out again, and the record says which stage failed. */
async function rollBack(
  { unitOfWork, clock }: PluginDependencies,
  { scope, id, claim }: Claimed,
  error: NonNullable<PluginOperation['error']>,
): Promise<void> {
  await unitOfWork.within(scope, async (stores) => {
    const operation = await stores.pluginOperations.hold(id, claim);
    operationTransitions.assert(operation.state, 'FAILED');
    await removeUnchanged(stores, operation.documents, operation.pluginId);
    await stores.pluginOperations.update({ ...operation, state: 'FAILED', documents: [], error, endedAt: clock.now() });
    await stores.audit.record({
      type: 'plugin.install-failed',
      target: { kind: 'plugin', id: operation.pluginId },
      details: { operationId: id, kind: operation.kind, version: operation.version, ...error },
    });
  });
}
