import type { Config } from '#lib/config/index.ts';
import { readAddressPolicy } from '#lib/outbound/adapters/address-policy.ts';
import { createGuardedFetch } from '#lib/outbound/adapters/guarded-fetch.ts';
import { SPAN_EVENTS, spansOf } from '#lib/record/index.ts';
import type { CommittedWrite, RunReader } from '#lib/supervisor/index.ts';
import { isSampled, log, metrics, TraceExporter, traceIdOf } from '#lib/telemetry/index.ts';
import manifest from '../../package.json' with { type: 'json' };

/** A run with more of them is cut in its trace, and in nothing else. */
const MOST_EVENTS = 5_000;

/** Traces of runs that have ended, to the operator's collector; null where none is set: then nothing is done for them. */
export function composeTraces({ config: { traces, outboundAllow }, reader }: { config: Config; reader: RunReader }) {
  if (!traces) return null;
  const { hostname } = new URL(traces.endpoint);
  // The operator has named it: it may be an address that tenants could not have called.
  const collector = hostname.replace(/^\[|\]$/g, '');
  const exporter = new TraceExporter<Pick<CommittedWrite, 'tenantId' | 'runId'>>({
    endpoint: traces.endpoint,
    headers: traces.headers,
    resource: { 'service.name': traces.serviceName, 'service.version': manifest.version },
    fetch: createGuardedFetch(readAddressPolicy(`${outboundAllow},${collector}`)),
    log,
    count: (outcome, count) => metrics.traces.inc({ outcome }, count),
    async read({ tenantId, runId }) {
      const scope = { tenantId };
      const [run, { items }] = await Promise.all([
        reader.get(scope, runId, { ownOnly: false, withoutPayloads: true }),
        reader.events(scope, runId, 0, MOST_EVENTS, SPAN_EVENTS),
      ]);
      return run ? spansOf(tenantId, run, items) : [];
    },
  });
  return {
    offer({ tenantId, runId }: CommittedWrite): void {
      if (isSampled(traceIdOf(runId), traces.share)) exporter.offer({ tenantId, runId });
    },
    stop: (drainMs: number) => exporter.stop(drainMs),
  };
}
