import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import postgres from 'postgres';
import type { TestDatabase } from './database.ts';

/** An empty database on a server of the test's own that has pgvector: `TEST_PGVECTOR_URL` names it, as a superuser. */
export async function createOnServer(url: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const run = async (work: (sql: postgres.Sql) => Promise<unknown>) => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    try {
      await work(sql);
    } finally {
      await sql.end();
    }
  };
  await run((sql) => sql`create database ${sql(name)}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { databaseUrl: own.href, drop: () => run((sql) => sql`drop database if exists ${sql(name)} with (force)`) };
}

/**
 * An empty database in this process that has pgvector, behind a port: PGlite, Postgres as WebAssembly. It has one session, so
 * that connections take turns; one keeps its turn until its transaction has ended.
 */
export async function createInProcess(): Promise<TestDatabase> {
  const database = await PGlite.create({ extensions: { vector } });
  let last: Socket | null = null;
  let turn = Promise.resolve();

  function attach(socket: Socket): void {
    let role: string | null = null;
    let isStarted = false;
    let isOver = false;
    let release: (() => void) | null = null;
    let work = Promise.resolve();

    const takeTurn = async () => {
      if (release) return;
      const before = turn;
      const mine = Promise.withResolvers<void>();
      turn = mine.promise;
      await before;
      release = mine.resolve;
      if (last === socket) return;
      last = socket;
      await database.exec(`reset role; set idle_in_transaction_session_timeout = 0; ${role === null ? '' : `set role ${role};`}`);
    };
    const endTurn = () => {
      release?.();
      release = null;
    };
    const answer = async (data: Uint8Array) => {
      if (isOver) return;
      const message = Buffer.from(data);
      if (!isStarted) {
        isStarted = true;
        role = /\0role\0([a-z_]+)\0/.exec(message.toString('latin1'))?.[1] ?? null;
        // AuthenticationOk, and ready: there is nothing to negotiate.
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]));
        return;
      }
      // A client that leaves says so; the session stays for the others.
      if (message[0] === 0x58) return;
      await takeTurn();
      const reply = Buffer.from(await database.execProtocolRaw(message));
      socket.write(reply);
      const state = reply.subarray(-6);
      if (state[0] === 0x5a && state[4] === 5 && state[5] === 0x49) endTurn();
    };
    const leave = async (before: Promise<void>) => {
      await before;
      isOver = true;
      if (release) await database.exec('rollback').catch(() => undefined);
      endTurn();
    };
    socket.on('data', (data) => {
      work = work.then(() => answer(data)).catch(() => void socket.destroy());
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      work = leave(work);
    });
  }

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    attach(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    databaseUrl: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async drop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}
