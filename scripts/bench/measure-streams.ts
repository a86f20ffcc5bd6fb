import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { nowMs, readWallOffsetMs } from './clock.ts';
import { dropIdleConnections, type ReceivedStream } from './event-stream-client.ts';
import type { Round } from './measure-turns.ts';
import { answerOf, messageFor, newPlan, WORKLOADS } from './model-plan.ts';
import { OUR_WORK, ourApi } from './our-lane.ts';
import type { OurServer } from './our-server.ts';
import { askProbe, readPostgresCpuMs } from './process-readings.ts';
import type { QuietMachine } from './quiet-machine.ts';
import type { ScratchDatabase } from './scratch-database.ts';
import { median, percentile } from './statistics.ts';

interface StreamsUnderTest {
  readonly server: OurServer;
  readonly database: string;
  readonly scratch: ScratchDatabase;
  readonly machine: QuietMachine;
}

/** How the paced capability says its chunks. */
const CHUNK_MS = 20;
const JOIN_WITHIN_MS = 300;
const MEMORY_LOOK_MS = 200;

const logged = z.object({ runId: z.string(), seq: z.number(), at: z.iso.datetime() });

/** `count` readers of one run that says 100 chunks, one each 20 ms. */
export function measureReaders(test: StreamsUnderTest, count: number): Promise<Round> {
  return measure(test, count, { usesModel: false }, async (api, [sessionId = '']) => {
    const { runId } = await api.post(sessionId, OUR_WORK.paced.message);
    return Promise.all(Array.from({ length: count }, () => api.follow(runId)));
  });
}

/** `count` runs at once in sessions of their own, each followed by whoever asked. */
export function measureRuns(test: StreamsUnderTest, count: number): Promise<Round> {
  return measure(test, count, { usesModel: false }, (api, sessions) =>
    Promise.all(
      sessions.map(async (sessionId, index) => {
        await sleep((index / count) * JOIN_WITHIN_MS);
        return api.ask(sessionId, OUR_WORK.paced);
      }),
    ),
  );
}

/** `count` sessions at once on the scripted model, which says a hundred tokens, fifty a second; each followed by whoever asked. */
export function measureSessions(test: StreamsUnderTest, count: number): Promise<Round> {
  return measure(test, count, { usesModel: true }, (api, sessions) =>
    Promise.all(
      sessions.map(async (sessionId, index) => {
        await sleep((index / count) * JOIN_WITHIN_MS);
        const plan = newPlan(WORKLOADS.paced, 'echo');
        const received = await api.ask(sessionId, { title: 'paced', message: messageFor(plan), steps: null });
        if (received.answer !== answerOf(plan)) throw new Error(`a session answered ${received.answer.slice(0, 200)}`);
        return received;
      }),
    ),
  );
}

async function measure(
  { server, database, scratch, machine }: StreamsUnderTest,
  count: number,
  { usesModel }: { usesModel: boolean },
  read: (api: ReturnType<typeof ourApi>, sessions: readonly string[]) => Promise<ReceivedStream[]>,
): Promise<Round> {
  const api = ourApi(server);
  dropIdleConnections();
  await api.useModel(usesModel);
  const sessions = await api.newSessions(count);
  await machine.wait();
  dropIdleConnections();
  const wallOffsetMs = readWallOffsetMs();
  const { result, otherLoad } = await machine.watch(async () => {
    const before = await askProbe(server.probeUrl, 'delay/start');
    const postgresBefore = readPostgresCpuMs(scratch.postmaster);
    const startMs = nowMs();
    const { streams, ...peaks } = await whileWatching({ server, scratch, database }, () => read(api, sessions));
    const wallMs = nowMs() - startMs;
    const after = await askProbe(server.probeUrl, 'delay/stop');
    return { streams, wallMs, before, after, ...peaks, postgresMs: readPostgresCpuMs(scratch.postmaster) - postgresBefore };
  });
  const { streams, before, after } = result;
  const delays = await readDelays({ streams, wallOffsetMs, scratch, database });
  return {
    otherLoad,
    figures: {
      'commit to reader p50': percentile(delays.sinceCommit, 50),
      'commit to reader p99': percentile(delays.sinceCommit, 99),
      'written to reader p50': percentile(delays.sinceWritten, 50),
      'written to reader p99': percentile(delays.sinceWritten, 99),
      'first text': median(streams.map(firstTextMs)) - CHUNK_MS,
      'first text p99': percentile(streams.map(firstTextMs), 99) - CHUNK_MS,
      'last text': Math.max(...streams.map(firstTextMs)) - CHUNK_MS,
      'cpu per stream': (after.cpuMs - before.cpuMs) / count,
      'postgres cpu per stream': result.postgresMs / count,
      cores: (after.cpuMs - before.cpuMs) / result.wallMs,
      'postgres cores': result.postgresMs / result.wallMs,
      connections: result.peakConnections,
      'peak rss': result.peakBytes / 2 ** 20,
      'rss growth per stream KiB': (result.peakBytes - before.rssBytes) / count / 1024,
      'loop delay p99': after.delayMs.p99,
      'events per stream': streams.reduce((sum, stream) => sum + stream.events.length, 0) / count,
      wall: result.wallMs,
    },
  };
}

function firstTextMs(stream: ReceivedStream): number {
  return (stream.events.find(({ name }) => name === 'text-delta')?.atMs ?? stream.endMs) - stream.sentMs;
}

/** Of every event that was committed while its reader was there: since its commit, and since the instant it carries. */
async function readDelays(streamed: {
  streams: readonly ReceivedStream[];
  wallOffsetMs: number;
  scratch: ScratchDatabase;
  database: string;
}): Promise<{ sinceCommit: number[]; sinceWritten: number[] }> {
  const { streams, wallOffsetMs, scratch, database } = streamed;
  const received = streams.flatMap((stream) =>
    stream.events.flatMap(({ data, atMs }) => {
      const event = logged.safeParse(JSON.parse(data));
      return event.success ? [{ ...event.data, openMs: stream.headersMs + wallOffsetMs, readMs: atMs + wallOffsetMs }] : [];
    }),
  );
  const runs = [...new Set(received.map(({ runId }) => runId.slice('run_'.length)))];
  const rows = await scratch.query(
    database,
    `select replace(run_id::text, '-', '') as run, seq, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as committed
     from run_event where run_id = any($1::uuid[])`,
    [runs],
  );
  const committedMs = new Map(rows.map(({ run, seq, committed }) => [`run_${String(run)} ${String(seq)}`, Number(committed)]));
  const live = received.flatMap((event) => {
    const committed = committedMs.get(`${event.runId} ${event.seq}`);
    return committed !== undefined && committed > event.openMs ? [{ ...event, committed }] : [];
  });
  return {
    sinceCommit: live.map(({ readMs, committed }) => readMs - committed),
    sinceWritten: live.map(({ readMs, at }) => readMs - Date.parse(at)),
  };
}

/** What the work yields, and the most memory and connections to the database that the server held meanwhile. */
async function whileWatching(
  { server, scratch, database }: Pick<StreamsUnderTest, 'server' | 'scratch' | 'database'>,
  read: () => Promise<ReceivedStream[]>,
): Promise<{ streams: ReceivedStream[]; peakBytes: number; peakConnections: number }> {
  let isOver = false;
  let [peakBytes, peakConnections] = [0, 0];
  const watcher = (async () => {
    while (!isOver) {
      const [readings, [row]] = await Promise.all([askProbe(server.probeUrl), scratch.query(database, CONNECTIONS)]);
      peakBytes = Math.max(peakBytes, readings.rssBytes);
      peakConnections = Math.max(peakConnections, Number(row?.count));
      await sleep(MEMORY_LOOK_MS);
    }
  })();
  try {
    const streams = await read();
    return { streams, peakBytes, peakConnections };
  } finally {
    isOver = true;
    await watcher;
  }
}

/** Those of the product: the bench's own is the one that asks. */
const CONNECTIONS = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
