import { expect, it } from 'vitest';
import { type Id, newId, systemClock } from '#lib/kernel/index.ts';
import { BegunRuns } from './begun-runs.ts';
import type { Boundary } from './domain/boundary.ts';
import type { Run } from './domain/run.ts';
import { createDrive, type DriveDependencies } from './drive-run.ts';
import type { RunRecords } from './ports.ts';

const ids = { id: newId('run'), sessionId: newId('session') };
const run: Run = {
  ...ids,
  rootRunId: ids.id,
  rootSessionId: ids.sessionId,
  parentRunId: null,
  tenantId: newId('tenant'),
  userId: newId('user'),
  apiKeyId: null,
  messageId: newId('message'),
  preset: 'default',
  input: 'hello',
  locale: 'en',
  timeZone: 'UTC',
  state: 'RUNNING',
  path: null,
  graph: null,
  pathReason: null,
  ontologyRevision: null,
  plan: null,
  answer: null,
  error: null,
  epoch: 1,
  segment: 1,
  eventSeq: 2,
  stepCount: 0,
  callsSucceeded: 0,
  callsFailed: 0,
  workedMs: 0,
  timeLimitMs: 1_000,
  cancelRequestedAt: null,
  cancelRequestedBy: null,
  createdAt: new Date(),
  startedAt: new Date(),
  endedAt: null,
};

it('ends as stopped what was stopped between the commit that began it and its drive', async () => {
  const begun = new BegunRuns();
  const records: RunRecords = {
    run,
    nodes: new Map(),
    invocations: new Map(),
    question: null,
    approvals: new Map(),
    policies: new Map(),
    modelCalls: new Map(),
    shownText: new Map(),
  };
  begun.keep('token', records);
  const written: Boundary[] = [];
  const touched: string[] = [];
  const dependencies = {
    begun,
    journal: {
      begin: async () => void touched.push('begin'),
      write: async (_key: unknown, boundary: Boundary) => void written.push(boundary),
      find: async () => ({ ...run, cancelRequestedAt: new Date(), cancelRequestedBy: run.userId }),
    },
    // The notice of the stop is there before the drive is.
    cancels: {
      onCancel: (_runId: Id<'run'>, listener: () => void) => {
        listener();
        return () => undefined;
      },
    },
    actors: { actorOfRun: async () => void touched.push('actor') },
    registry: { describe: () => null },
    clock: systemClock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  } as unknown as DriveDependencies;
  const segment = { tenantId: run.tenantId, sessionId: run.sessionId, runId: run.id, number: 1 };
  await createDrive(dependencies)(segment, new AbortController().signal, { segmentKey: `${run.id}:1`, token: 'token' });
  expect(written.map((boundary) => boundary.run?.state)).toEqual(['CANCELLED']);
  expect(touched).toEqual([]);
});
