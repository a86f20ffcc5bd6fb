import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createAgentMetrics } from './agent-metrics.ts';
import { oncePerProcess } from './once-per-process.ts';

/** The process's metrics in Prometheus' form. Modules add their own to `registry`. */
export const metrics = oncePerProcess('metrics', () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readers: (() => Promise<void>)[] = [];
  return {
    registry,
    /** Registers what brings gauges up to date before they are read. */
    whenRead: (update: () => Promise<void>) => void readers.push(update),
    /** Everything in Prometheus' text form. */
    async read(): Promise<string> {
      await Promise.all(readers.map((update) => update()));
      return registry.metrics();
    },
    agent: createAgentMetrics(registry),
    httpRequestSeconds: new Histogram({
      name: 'bailiwick_http_request_seconds',
      help: 'Time from an API request to the start of its answer.',
      labelNames: ['method', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    runs: new Counter({
      name: 'bailiwick_runs_total',
      help: 'Runs that ended in this process, by end state.',
      labelNames: ['terminal'],
      registers: [registry],
    }),
    openRuns: new Gauge({
      name: 'bailiwick_open_runs',
      help: 'Runs of all tenants that have not ended, by state, as the database has them.',
      labelNames: ['state'],
      registers: [registry],
    }),
    activeSegments: new Gauge({
      name: 'bailiwick_active_segments',
      help: 'Segments of runs that this process drives now.',
      registers: [registry],
    }),
    runSeconds: new Histogram({
      name: 'bailiwick_run_seconds',
      help: 'Time from a request to the end of its run.',
      labelNames: ['terminal'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
      registers: [registry],
    }),
    rateLimited: new Counter({
      name: 'bailiwick_rate_limited_total',
      help: 'Requests of the API that were refused because there were too many, by whose limit it was.',
      labelNames: ['scope'],
      registers: [registry],
    }),
    traces: new Counter({
      name: 'bailiwick_traces_total',
      help: 'Traces of runs, by what became of them on the way to the collector.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    signIns: new Counter({
      name: 'bailiwick_sign_ins_total',
      help: 'Attempts to sign in, by how they ended.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  };
});
