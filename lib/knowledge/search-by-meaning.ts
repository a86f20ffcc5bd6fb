import { messageOf, type TenantScope } from '#lib/kernel/index.ts';
import { embedTexts } from '#lib/models/index.ts';
import { decideServing, type SearchReason } from './domain/embedding-space.ts';
import type { NearChunks } from './domain/fuse-rankings.ts';
import type { EmbedDependencies } from './embed-documents.ts';
import type { NearestReader, ServingSpaceReader, VectorSupportReader } from './ports.ts';

const NEAR_LIMIT = 20;
/** A run waits for it before its first word. */
const QUERY_TIMEOUT_MS = 3_000;
/** So long after a failure no search waits for the provider again. */
const REST_MS = 30_000;
/** Beyond it a query is no question any more; models cut it themselves at about as much. */
const QUERY_LENGTH = 8_000;

/** What lies near a query, or why nothing was looked for there. */
export type MeaningSearch = (
  scope: TenantScope,
  query: string,
) => Promise<{ readonly near: NearChunks } | { readonly near: null; readonly reason: SearchReason }>;

/**
 * Searches the space that serves a tenant (requirement H-29). Never throws for a provider that fails, a budget that is used up
 * or a model that answers in another length than it did: the search by words serves then, the space says why, and the provider
 * is left alone for half a minute.
 */
export function createMeaningSearch(
  deps: Omit<EmbedDependencies, 'pauseMs' | 'random' | 'signal'> & {
    readonly readSpace: ServingSpaceReader;
    readonly readNearest: NearestReader;
    readonly readSupport: VectorSupportReader;
  },
): MeaningSearch {
  const resting = new Map<string, number>();

  return async (scope, query) => {
    const [support, space] = await Promise.all([deps.readSupport(), deps.readSpace(scope)]);
    if (!space || support.extension !== 'ready') {
      return { near: null, reason: decideServing(support, space ? [space] : []).reason };
    }
    const restsUntil = resting.get(space.id);
    if (restsUntil !== undefined && restsUntil > deps.clock.now().getTime()) return { near: null, reason: 'failing' };
    resting.delete(space.id);
    const note = (problem: string | null) =>
      deps.unitOfWork.within({ tenantId: scope.tenantId }, ({ embeddingSpaces }) => embeddingSpaces.noteSearch(space.id, problem));
    try {
      const [vector] = await embedTexts(deps, {
        scope,
        model: deps.openModel(scope.tenantId, space),
        price: space.price,
        purpose: 'query',
        texts: [query.slice(0, QUERY_LENGTH)],
        signal: AbortSignal.timeout(QUERY_TIMEOUT_MS),
      });
      if (vector?.length !== space.dimensions) {
        await deps.unitOfWork.within({ tenantId: scope.tenantId }, ({ embeddingSpaces }) => embeddingSpaces.rebuild(space.id));
        throw new Error(
          `${space.model} answers ${vector?.length ?? 0} numbers instead of ${space.dimensions}: all passages are embedded anew.`,
        );
      }
      const near = await deps.readNearest(scope, { spaceId: space.id, vector, limit: NEAR_LIMIT });
      if (space.problem) await note(null);
      return { near };
    } catch (error) {
      resting.set(space.id, deps.clock.now().getTime() + REST_MS);
      await note(messageOf(error).slice(0, 500));
      return { near: null, reason: 'failing' };
    }
  };
}
