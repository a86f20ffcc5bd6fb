import { AppError } from '#lib/kernel/index.ts';
import type { GraphSink } from '../ports.ts';

export interface Neo4jSettings {
  /** The server's root, `https://graph.example.org:7473`. */
  readonly url: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** The guarded door out. */
  readonly fetch: typeof globalThis.fetch;
}

const STATEMENT = `
MERGE (session:AgentSession {id: $sessionId}) SET session.tenantId = $tenantId, session.preset = $preset
MERGE (run:Run {id: $runId}) SET run.tenantId = $tenantId, run.terminal = $terminal, run.endedAt = datetime($endedAt)
MERGE (session)-[:HAS_RUN]->(run)
FOREACH (capabilityId IN $capabilityIds | MERGE (capability:Capability {id: capabilityId}) MERGE (run)-[:CALLED]->(capability))`;

/** How long a graph that does not answer is waited for. */
const TIMEOUT_MS = 5_000;

/** Mirrors sessions and runs into Neo4j over its HTTP Query API (`POST /db/{database}/query/v2`). */
export function createNeo4jGraphSink(settings: Neo4jSettings): GraphSink {
  const endpoint = new URL(`/db/${encodeURIComponent(settings.database)}/query/v2`, settings.url);
  const authorization = `Basic ${Buffer.from(`${settings.user}:${settings.password}`).toString('base64')}`;
  return {
    async record(run) {
      const response = await settings.fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', authorization },
        body: JSON.stringify({ statement: STATEMENT, parameters: { ...run, endedAt: run.endedAt.toISOString() } }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = await response.text();
      if (!response.ok || answer.includes('"errors"')) {
        throw new AppError({ code: 'unavailable', message: `The graph answered ${response.status}: ${answer.slice(0, 200)}` });
      }
    },
  };
}
