import { type Clock, type Id, isAppError, messageOf } from '#lib/kernel/index.ts';
import { type EmbeddingDependencies, type EmbeddingModel, embedTexts, ModelError, nextWaitMs } from '#lib/models/index.ts';
import { type EmbeddingSpace, textToEmbed } from './domain/embedding-space.ts';
import type { EmbeddingTurn, KnowledgeUnitOfWork, PassageToEmbed } from './ports.ts';

const BATCH = 32;
const LEASE_MS = 60_000;
const CALL_TIMEOUT_MS = 45_000;
/** After which nobody need press a button for it to go on. */
const LONGEST_WAIT_MS = 10 * 60_000;

export interface EmbedDependencies extends EmbeddingDependencies {
  readonly unitOfWork: KnowledgeUnitOfWork<'embeddingSpaces'> & EmbeddingDependencies['unitOfWork'];
  readonly clock: Clock;
  /** Opens the model of a space, its key too. */
  readonly openModel: (tenantId: Id<'tenant'>, space: Pick<EmbeddingSpace, 'provider' | 'model'>) => EmbeddingModel;
  /** Between two calls: a provider is not asked as fast as it can answer. */
  readonly pauseMs: number;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/**
 * Gives each passage of a tenant its vector in a space, batch by batch, each written with its lease in one transaction: a
 * process that dies loses at most the batch it was at, and the next one asks what is missing (requirement H-29). A space that
 * is complete serves from then on. What fails is kept with the space and tried again later, by the provider's own word where it
 * gave one; what was there goes on serving. Ends without a word when another process has it, or it was removed.
 */
export async function embedDocuments(
  deps: EmbedDependencies,
  { tenantId, spaceId }: { tenantId: Id<'tenant'>; spaceId: Id<'embeddingSpace'> },
): Promise<void> {
  const turn = await deps.unitOfWork.within({ tenantId }, ({ embeddingSpaces }) => embeddingSpaces.take(spaceId, LEASE_MS));
  if (!turn) return;
  try {
    await embedMissing(deps, tenantId, turn);
  } catch (error) {
    if (deps.signal.aborted || (isAppError(error) && error.code === 'unavailable')) throw error;
    const retryAt = new Date(deps.clock.now().getTime() + waitMs(error, turn.failures, deps.random));
    await deps.unitOfWork.within({ tenantId }, ({ embeddingSpaces }) =>
      embeddingSpaces.stumble(spaceId, turn.epoch, { message: messageOf(error).slice(0, 500), retryAt }),
    );
  }
}

async function embedMissing(deps: EmbedDependencies, tenantId: Id<'tenant'>, { space, epoch, wanted }: EmbeddingTurn): Promise<void> {
  const { unitOfWork, openModel, pauseMs, signal } = deps;
  const model = openModel(tenantId, space);
  let dimensions = space.dimensions;
  let after: Id<'chunk'> | null = null;
  for (;;) {
    const page: { after: Id<'chunk'> | null; limit: number } = { after, limit: BATCH };
    const missing: PassageToEmbed[] = await unitOfWork.within({ tenantId }, ({ embeddingSpaces }) =>
      embeddingSpaces.listMissing(space.id, page),
    );
    if (missing.length === 0) break;
    const vectors = await embedTexts(deps, {
      scope: { tenantId },
      model,
      price: space.price,
      purpose: 'index',
      texts: missing.map(textToEmbed),
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    const length = vectors[0]?.length ?? 0;
    if (dimensions !== null && length !== dimensions) return startAnew(deps, tenantId, space);
    dimensions = length;
    const batch = {
      dimensions,
      vectors: missing.map(({ chunkId }, index) => ({ chunkId, vector: vectors[index] ?? [] })),
      leaseMs: LEASE_MS,
    };
    if (!(await unitOfWork.within({ tenantId }, ({ embeddingSpaces }) => embeddingSpaces.addVectors(space.id, epoch, batch)))) return;
    after = missing.at(-1)?.chunkId ?? null;
    await pause(pauseMs, signal);
  }
  await unitOfWork.within({ tenantId }, ({ embeddingSpaces }) => embeddingSpaces.finish(space.id, epoch, wanted));
}

/** The model behind the name is another than it was: its vectors and those before it cannot be compared. */
async function startAnew({ unitOfWork }: EmbedDependencies, tenantId: Id<'tenant'>, space: EmbeddingSpace): Promise<void> {
  await unitOfWork.within({ tenantId }, ({ embeddingSpaces }) => embeddingSpaces.rebuild(space.id));
}

function waitMs(error: unknown, failures: number, random: () => number): number {
  if (error instanceof ModelError && error.retryAfterMs !== null) return Math.min(error.retryAfterMs, LONGEST_WAIT_MS);
  // A refusal is not mended by asking again soon; a person may mend it meanwhile.
  const doubled = nextWaitMs({ next: 2, retryAfterMs: null, random }) ?? 0;
  return Math.min(doubled * 2 ** Math.min(failures + 2, 12), LONGEST_WAIT_MS);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
