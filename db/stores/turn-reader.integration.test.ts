import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { type Id, newId, toUuid } from '#lib/kernel/index.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/database.ts';
import { codeOf } from '#lib/testing/tenancy-world.ts';
import { type Database, openDatabase } from '../client.ts';
import { createTurnReader } from './turn-reader.ts';

let testDatabase: TestDatabase;
let database: Database;
let owner: postgres.Sql;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ databaseUrl: testDatabase.databaseUrl, role: 'bailiwick_app', max: 2, name: 'turns' });
  owner = postgres(testDatabase.databaseUrl, { max: 2, onnotice: () => undefined });
});
afterAll(async () => {
  await database.close();
  await owner.end();
  await testDatabase.drop();
});

/** A session, and what another process that ends its runs would write. */
async function aSession() {
  const [tenantId, userId, sessionId] = [newId('tenant'), newId('user'), newId('session')];
  const [tenant, user, session] = [toUuid(tenantId), toUuid(userId), toUuid(sessionId)];
  await owner`insert into tenant (id, slug, name) values (${tenant}, ${tenantId.slice(-20)}, 'T')`;
  await owner`insert into app_user (id, email, name) values (${user}, ${`${userId}@example.com`}, 'Ada')`;
  await owner`
    insert into agent_session (tenant_id, id, user_id, preset, state, title, checkpoint_thread_id)
    values (${tenant}, ${session}, ${user}, 'default', 'IDLE', '', ${sessionId})`;
  return {
    tenantId,
    sessionId,
    endRun: async (agentId: string, said: string): Promise<void> => {
      const [row] = await owner`update agent_session set turn_seq = turn_seq + 1 where id = ${session} returning turn_seq`;
      const turnSeq = Number(row?.turn_seq);
      for (const [role, content] of [
        ['ASSISTANT', `answer to ${said}`],
        ['USER', said],
      ] as const)
        await owner`
          insert into agent_conversation_message (tenant_id, session_id, agent_id, turn_seq, role, content, metadata, run_id)
          values (${tenant}, ${session}, ${agentId}, ${turnSeq}, ${role}, ${content}, '{}'::jsonb, ${toUuid(newId('run'))})`;
    },
  };
}

/** What one process reads; each has windows of its own. */
function aProcess() {
  const read = createTurnReader(database.sql);
  return async (tenantId: Id<'tenant'>, sessionId: Id<'session'>, agentId = 'assistant') =>
    (await read({ scope: { tenantId }, sessionId, agentId })).turns.map(({ user, assistant }) => [user, assistant]);
}

const turn = (said: string) => [said, `answer to ${said}`];

describe('createTurnReader', () => {
  verifies('P-27', 'warms the window of a session and agent from the database, question and answer as one turn', async () => {
    const { tenantId, sessionId, endRun } = await aSession();
    const other = await aSession();
    await endRun('assistant', 'one');
    await endRun('librarian', 'apart');
    await endRun('assistant', 'two');
    await other.endRun('assistant', 'elsewhere');
    const read = aProcess();
    expect(await read(tenantId, sessionId)).toEqual([turn('one'), turn('two')]);
    expect(await read(tenantId, sessionId, ' librarian ')).toEqual([turn('apart')]);
    expect(await read(tenantId, sessionId)).toEqual([turn('one'), turn('two')]);
    expect(await read(other.tenantId, other.sessionId)).toEqual([turn('elsewhere')]);
    expect(await read(tenantId, newId('session'))).toEqual([]);
  });

  verifies('P-27', 'sees the turn that another process wrote, whether the window was warm or empty', async () => {
    const { tenantId, sessionId, endRun } = await aSession();
    const read = aProcess();
    expect(await read(tenantId, sessionId)).toEqual([]);
    await endRun('assistant', 'one');
    expect(await read(tenantId, sessionId)).toEqual([turn('one')]);
    await endRun('librarian', 'apart');
    await endRun('assistant', 'two');
    await endRun('assistant', 'three');
    expect(await read(tenantId, sessionId)).toEqual([turn('one'), turn('two'), turn('three')]);
    expect(await aProcess()(tenantId, sessionId)).toEqual(await read(tenantId, sessionId));
  });

  verifies('H-06', 'gives a session of which nothing was summarised whole, however long it is', async () => {
    const { tenantId, sessionId, endRun } = await aSession();
    const said = Array.from({ length: 120 }, (_, index) => `turn ${index}`);
    for (const each of said) await endRun('assistant', each);
    const read = aProcess();
    for (const _ of ['cold', 'warm']) expect(await read(tenantId, sessionId)).toEqual(said.map(turn));
    // From where a summary ends, no further back.
    await owner`
      insert into conversation_summary (tenant_id, session_id, run_id, path, agent_id, through_turn_seq, through_run_id, summary, source, turns, step_count, tokens_before, tokens_after)
      select tenant_id, session_id, run_id, 'x', agent_id, turn_seq, run_id, 'What was said.', 'extract', '[]', 0, 9, 1
      from agent_conversation_message where session_id = ${toUuid(sessionId)} and turn_seq = 30 and role = 'USER'`;
    expect(await read(tenantId, sessionId)).toEqual(said.slice(30).map(turn));
  });

  verifies('P-27', 'needs an agent', async () => {
    const { tenantId, sessionId } = await aSession();
    for (const blank of ['', ' ', '\n'])
      await expect(aProcess()(tenantId, sessionId, blank)).rejects.toMatchObject({
        code: 'invalid_request',
        message: 'agentId must not be blank',
      });
    expect(await codeOf(aProcess()(tenantId, sessionId, ''))).toBe('invalid_request');
  });

  verifies('P-18', 'shows nothing to another tenant, not even what is warm', async () => {
    const { tenantId, sessionId, endRun } = await aSession();
    await endRun('assistant', 'secret');
    const read = aProcess();
    expect(await read(tenantId, sessionId)).toEqual([turn('secret')]);
    expect(await read((await aSession()).tenantId, sessionId)).toEqual([]);
  });
});
