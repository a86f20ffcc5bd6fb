import { useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { type RunFacets, runFacets } from '#lib/supervisor/contract.ts';

/** How many runs each further filter would leave; null until it is known. The counts before stay while new ones are read. */
export function useRunFacets(tenantSlug: string, query: string): RunFacets | null {
  const [facets, setFacets] = useState<RunFacets | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    requestJson(`/api/t/${tenantSlug}/runs/facets?${query}`, runFacets, { signal: abort.signal }).then(setFacets, () => undefined);
    return () => abort.abort();
  }, [tenantSlug, query]);
  return facets;
}
