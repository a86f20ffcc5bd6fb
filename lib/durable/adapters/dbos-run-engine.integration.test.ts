import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSql } from '#db/client.ts';
import { toEngineTransaction } from '#db/engine-transaction.ts';
import { AppError, newId } from '#lib/kernel/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { eventually } from '#lib/testing/run-lab.ts';
import type { RunEngine, Segment } from '../ports.ts';
import { createDbosRunEngine } from './dbos-run-engine.ts';
import { prepareEngine } from './prepare-engine.ts';

describe('createDbosRunEngine', () => {
  let testDatabase: TestDatabase;
  let owner: postgres.Sql;
  let app: postgres.Sql;
  let engine: RunEngine;
  const drives: string[] = [];
  /** What happens in the first drive of a segment, before it fails for want of the database. */
  let inFirstDrive: ((segment: Segment) => Promise<unknown>) | null = null;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const { databaseUrl } = testDatabase;
    await prepareEngine({ databaseUrl });
    owner = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    app = openSql({ databaseUrl, role: 'bailiwick_app', max: 1, name: 'test' });
    const log = { info: () => undefined, warn: () => undefined };
    // Takes over nothing in this time: who owns what is arranged by hand.
    engine = await createDbosRunEngine({ databaseUrl, maxActiveSegments: 4, takeoverTickMs: 60_000, claims: true, log });
    await engine.start(async (segment) => {
      drives.push(segment.runId);
      if (drives.filter((id) => id === segment.runId).length > 1) return;
      await inFirstDrive?.(segment);
      throw new AppError({ code: 'unavailable', message: 'away' });
    });
  });

  afterAll(async () => {
    await engine.stop(1_000);
    await app.end();
    await owner.end();
    await testDatabase.drop();
  });

  async function submit(): Promise<Segment> {
    const segment = { tenantId: newId('tenant'), sessionId: newId('session'), runId: newId('run'), number: 1 };
    await app.begin((tx) => engine.enqueue(toEngineTransaction(tx), segment));
    engine.wake();
    return segment;
  }

  it('drives a segment again after the database was away', async () => {
    const { runId } = await submit();
    await eventually(() => drives.filter((id) => id === runId).length === 2);
  });

  it('does not drive it again when another process has it by then', async () => {
    inFirstDrive = ({ runId }) =>
      owner`update dbos.workflow_status set owner_xid = 'another', executor_id = 'another' where workflow_uuid = ${`${runId}:1`}`;
    const { runId } = await submit();
    await eventually(() => drives.includes(runId));
    // The engine would try again after half a second.
    await sleep(1_500);
    expect(drives.filter((id) => id === runId)).toHaveLength(1);
    await owner`update dbos.workflow_status set status = 'SUCCESS', owner_xid = null where workflow_uuid = ${`${runId}:1`}`;
  });
});
