import { AppError, type Id, messageOf, newId, parseId } from '#lib/kernel/index.ts';
import { embedTexts } from '#lib/models/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { ChooseEmbedding, DocumentSearchView, EmbeddingTestView } from './contract.ts';
import { decideServing } from './domain/embedding-space.ts';
import type { EmbedDependencies } from './embed-documents.ts';
import type { EmbeddingSpaceRecord, KnowledgeUnitOfWork, VectorSupportReader } from './ports.ts';

const TEST_TIMEOUT_MS = 20_000;

export interface ManageEmbedding extends Omit<EmbedDependencies, 'pauseMs' | 'random' | 'signal' | 'unitOfWork'> {
  readonly unitOfWork: KnowledgeUnitOfWork<'embeddingSpaces' | 'audit'> & EmbedDependencies['unitOfWork'];
  readonly readSupport: VectorSupportReader;
}

/** What searches use now and why, and how far a space is that is being built. Throws `permission_denied` without `knowledge:read`. */
export async function getDocumentSearch({ unitOfWork, readSupport }: ManageEmbedding, actor: Actor): Promise<DocumentSearchView> {
  requirePermission(actor, 'knowledge:read');
  const [support, spaces] = await Promise.all([
    readSupport(),
    unitOfWork.within(actor.scope, ({ embeddingSpaces }) => embeddingSpaces.list()),
  ]);
  return {
    ...decideServing(support, spaces),
    extension: support.extension,
    serves: toView(spaces.find(({ state }) => state === 'SERVING')),
    builds: toView(spaces.find(({ state }) => state === 'BUILDING')),
  };
}

/**
 * Begins to embed the tenant's documents with a model; what serves goes on serving until all of them are. Throws
 * `permission_denied` without `model:manage`, `invalid_request` for a provider that is none of the workspace's, or has no
 * embeddings, and `unavailable` where the database cannot compare vectors.
 */
export async function chooseEmbeddingModel(deps: ManageEmbedding, actor: Actor, body: ChooseEmbedding): Promise<DocumentSearchView> {
  requirePermission(actor, 'model:manage');
  const support = await deps.readSupport();
  if (support.extension !== 'ready') {
    throw new AppError({
      code: 'invalid_request',
      message: 'The database of this server cannot compare vectors: its operator has to add the extension pgvector first.',
    });
  }
  const { providerId } = await openChosen(deps, actor, body);
  const price = body.price && { ...body.price, cachedInputMicros: 0, cacheWriteMicros: 0, outputMicros: 0 };
  await deps.unitOfWork.within(actor.scope, async ({ embeddingSpaces, audit }) => {
    const id = newId('embeddingSpace');
    await embeddingSpaces.begin({ id, providerId, model: body.model, price });
    await audit.record({
      type: 'embedding-model.chosen',
      target: { kind: 'embedding-model', id, name: body.model },
      details: { providerId, model: body.model, price: body.price && { ...body.price } },
    });
  });
  return getDocumentSearch(deps, actor);
}

/** Searches go by words alone from now on; the vectors are deleted. Throws `permission_denied` without `model:manage`. */
export async function removeEmbeddingModel({ unitOfWork }: ManageEmbedding, actor: Actor): Promise<void> {
  requirePermission(actor, 'model:manage');
  await unitOfWork.within(actor.scope, async ({ embeddingSpaces, audit }) => {
    const known = await embeddingSpaces.list();
    await embeddingSpaces.removeAll();
    for (const { id, model } of known) {
      await audit.record({ type: 'embedding-model.removed', target: { kind: 'embedding-model', id, name: model }, details: { model } });
    }
  });
}

/** One small call by the path that searches take. Throws as `chooseEmbeddingModel` does; what the provider says is the answer. */
export async function testEmbeddingModel(deps: ManageEmbedding, actor: Actor, body: ChooseEmbedding): Promise<EmbeddingTestView> {
  requirePermission(actor, 'model:manage');
  const { providerId, model } = await openChosen(deps, actor, body);
  const price = body.price && { ...body.price, cachedInputMicros: 0, cacheWriteMicros: 0, outputMicros: 0 };
  const begunMs = performance.now();
  const ms = () => Math.round(performance.now() - begunMs);
  const tried = await embedTexts(deps, {
    scope: actor.scope,
    model,
    price,
    purpose: 'test',
    texts: ['A late book costs a coin a day.'],
    signal: AbortSignal.timeout(TEST_TIMEOUT_MS),
  }).then(
    ([vector]) => ({ ok: true, detail: null, dimensions: vector?.length ?? null, ms: ms() }),
    (error: unknown) => ({ ok: false, detail: messageOf(error), dimensions: null, ms: ms() }),
  );
  await deps.unitOfWork.within(actor.scope, ({ audit }) =>
    audit.record({
      type: 'embedding-model.tested',
      target: { kind: 'model-provider', id: providerId, name: body.model },
      details: { ok: tried.ok, dimensions: tried.dimensions },
    }),
  );
  return tried;
}

async function openChosen({ unitOfWork, openModel }: ManageEmbedding, actor: Actor, body: ChooseEmbedding) {
  const providerId: Id<'modelProvider'> | null = parseId('modelProvider', body.providerId);
  const provider = providerId && (await unitOfWork.within(actor.scope, ({ embeddingSpaces }) => embeddingSpaces.findProvider(providerId)));
  if (!provider) {
    throw new AppError({
      code: 'invalid_request',
      message: 'Choose one of this workspace’s model providers.',
      details: { path: 'providerId' },
    });
  }
  return { providerId: provider.id, model: openModel(actor.scope.tenantId, { provider, model: body.model }) };
}

function toView(space: EmbeddingSpaceRecord | undefined): DocumentSearchView['serves'] {
  if (!space) return null;
  const { provider, model, dimensions, price, embedded, passages, problem } = space;
  return {
    provider: { id: provider.id, name: provider.name },
    model,
    dimensions,
    price: price && { currency: price.currency, inputMicros: price.inputMicros },
    embedded,
    passages,
    problem: problem && { at: problem.at.toISOString(), message: problem.message },
  };
}
