import { useEffect, useState } from 'react';
import { requestJson } from '#components/api/request.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import type { InvocationHead, TracedRun } from '#lib/record/contract.ts';
import { type InvocationView, invocationView } from '#lib/supervisor/contract.ts';

/** What the selected call was given and gave, read when it is selected; null while it is being read. */
export function useSelectedInvocation(
  run: Pick<TracedRun, 'id' | 'viewing'>,
  invocation: InvocationHead | undefined,
): InvocationView | null {
  const { tenant } = useMe();
  const [read, setRead] = useState<{ key: string; content: InvocationView } | null>(null);
  // A call that has moved, or a run that is seen otherwise now, is read again.
  const key = invocation ? `${invocation.id}/${invocation.state}/${invocation.attempt}/${run.viewing}` : null;
  const path = invocation ? `/api/t/${tenant.slug}/runs/${run.id}/invocations/${invocation.id}` : null;
  useEffect(() => {
    if (key === null || path === null) return undefined;
    const abort = new AbortController();
    requestJson(path, invocationView, { signal: abort.signal }).then(
      (content) => setRead({ key, content }),
      () => undefined,
    );
    return () => abort.abort();
  }, [key, path]);
  return read !== null && read.key === key ? read.content : null;
}
