import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSql } from '#db/client.ts';
import { toEngineTransaction } from '#db/engine-transaction.ts';
import { AppError, newId } from '#lib/kernel/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { eventually } from '#lib/testing/run-lab.ts';
import type { Claim, RunEngine, Segment } from '../ports.ts';
import { createDbosRunEngine } from './dbos-run-engine.ts';
import { prepareEngine } from './prepare-engine.ts';

const newSegment = (): Segment => ({ tenantId: newId('tenant'), sessionId: newId('session'), runId: newId('run'), number: 1 });

describe('createDbosRunEngine', () => {
  let testDatabase: TestDatabase;
  let owner: postgres.Sql;
  let app: postgres.Sql;
  let engine: RunEngine;
  let isStopped = false;
  const drives: { readonly runId: string; readonly claim: Claim }[] = [];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const { databaseUrl } = testDatabase;
    await prepareEngine({ databaseUrl });
    owner = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    app = openSql({ databaseUrl, role: 'bailiwick_app', max: 1, name: 'test' });
    const log = { info: () => undefined, warn: () => undefined };
    // Takes over nothing in this time: who owns what is arranged by hand.
    engine = await createDbosRunEngine({ databaseUrl, maxActiveSegments: 4, takeoverTickMs: 60_000, claims: true, log });
    await engine.start(async ({ runId }, _signal, claim) => {
      drives.push({ runId, claim });
      if (drivesOf(runId).length === 1) throw new AppError({ code: 'unavailable', message: 'away' });
    });
  });

  afterAll(async () => {
    if (!isStopped) await engine.stop(1_000);
    await app.end();
    await owner.end();
    await testDatabase.drop();
  });

  async function submit(): Promise<Segment> {
    const segment = newSegment();
    await app.begin((tx) => engine.enqueue(toEngineTransaction(tx), segment));
    engine.wake();
    return segment;
  }

  async function submitWithPlace(beforeCommit: (segment: Segment) => Promise<void> = async () => undefined) {
    const reserved = engine.reserve();
    if (!reserved) throw new Error('no place is free');
    const segment = newSegment();
    await app.begin(async (tx) => {
      const transaction = toEngineTransaction(tx);
      await engine.enqueue(transaction, segment, { reserved });
      await Promise.all(transaction.sent);
      await beforeCommit(segment);
    });
    return { segment, reserved };
  }

  it('begins at once what was enqueued with a place that was free, and as long as that is not committed, nowhere', async () => {
    const { segment, reserved } = await submitWithPlace(async ({ runId }) => {
      engine.wake();
      await sleep(100);
      expect(drivesOf(runId)).toEqual([]);
    });
    await reserved.begin();
    const claim = { segmentKey: `${segment.runId}:1`, token: reserved.token };
    await eventually(() => drivesOf(segment.runId).length === 2);
    expect(drivesOf(segment.runId).map((drive) => drive.claim)).toEqual([claim, claim]);
    const stored = () => owner`
      select status, recovery_attempts::int as attempts from dbos.workflow_status where workflow_uuid = ${claim.segmentKey}`;
    await eventually(async () => (await stored())[0]?.status === 'SUCCESS');
    expect([...(await stored())]).toEqual([{ status: 'SUCCESS', attempts: 1 }]);
  });

  it('looks for what may have been committed though nobody heard, and begins it', async () => {
    const { segment, reserved } = await submitWithPlace();
    reserved.doubt();
    engine.wake();
    await eventually(() => drivesOf(segment.runId).length === 2);
    expect(drivesOf(segment.runId)[0]?.claim.token).toBe(reserved.token);
  });

  it('keeps no more places than there are, and gives back what was not needed', async () => {
    const reserveFive = () => Array.from({ length: 5 }, () => engine.reserve());
    let held = reserveFive();
    // What ran before has its place for a moment longer.
    await eventually(async () => {
      for (const reservation of held) reservation?.release();
      held = reserveFive();
      return held.filter((reservation) => reservation !== null).length === 4;
    });
    for (const reservation of held) reservation?.release();
    const again = engine.reserve();
    expect(again).not.toBeNull();
    again?.release();
  });

  const drivesOf = (runId: string) => drives.filter((drive) => drive.runId === runId);

  it('drives a segment again after the database was away, under the claim that it had', async () => {
    const { runId } = await submit();
    await eventually(() => drivesOf(runId).length === 1);
    const [row] = await owner`select workflow_uuid, owner_xid from dbos.workflow_status where workflow_uuid = ${`${runId}:1`}`;
    await eventually(() => drivesOf(runId).length === 2);
    const claim = { segmentKey: row?.workflow_uuid, token: row?.owner_xid };
    expect(claim.token).toBeTruthy();
    expect(drivesOf(runId).map((drive) => drive.claim)).toEqual([claim, claim]);
  });

  it('refuses a request for now that was under way when the process was told to end', async () => {
    const reserved = engine.reserve();
    if (!reserved) throw new Error('no place is free');
    await engine.stop(1_000);
    isStopped = true;
    const enqueued = app.begin((tx) => engine.enqueue(toEngineTransaction(tx), newSegment(), { reserved }));
    await expect(enqueued).rejects.toMatchObject({ code: 'unavailable' });
    expect(engine.reserve()).toBeNull();
  });
});
