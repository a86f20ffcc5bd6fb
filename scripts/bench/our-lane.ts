import { z } from 'zod';
import { readEventStream, requestJson } from './event-stream-client.ts';
import type { Lane, TurnTiming } from './lane.ts';
import { answerOf, messageFor, newPlan, type Workload } from './model-plan.ts';
import { subtractModelTime } from './model-time.ts';
import type { OurServer } from './our-server.ts';
import type { ScratchDatabase } from './scratch-database.ts';
import { mean } from './statistics.ts';

const created = z.object({ id: z.string() });
const sent = z.object({ runId: z.string() });
const ending = z.object({
  terminal: z.string(),
  snapshot: z.object({ runId: z.string(), echo: z.string(), pipeline_trace: z.array(z.unknown()), error: z.unknown() }),
});

/** What one turn of ours asks, and how many steps it must be planned with. */
export interface OurWork {
  readonly title: string;
  readonly message: string;
  /** Null on the model path, which has no plan. */
  readonly steps: number | null;
}

export const OUR_WORK = {
  none: { title: 'no step', message: 'Hello!', steps: 0 },
  one: { title: 'one step', message: 'What is 17% of 2,340?', steps: 1 },
  three: { title: 'three steps', message: 'What is 17% of 2,340? Convert 5 miles to kilometers. Echo "good morning"', steps: 3 },
  paced: { title: '100 chunks', message: 'stream chunks: 100 chunks, 20 ms', steps: 1 },
} as const satisfies Record<string, OurWork>;

/** The product's API, as a client with a key uses it. */
export function ourApi(server: OurServer) {
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const base = `${server.url}/api/t/${server.tenant}`;
  const newSession = async () => created.parse((await requestJson({ url: `${base}/sessions`, headers, body: {} })).body).id;
  return {
    async newSessions(count: number): Promise<string[]> {
      const ids: string[] = [];
      // A few at a time: this is not what is measured.
      for (let left = count; left > 0; left -= 10) ids.push(...(await Promise.all(Array.from({ length: Math.min(10, left) }, newSession))));
      return ids;
    },

    /** The whole turn on one connection. Throws when it did not end well or not with as many steps as it should. */
    async ask(sessionId: string, work: OurWork) {
      const url = `${base}/sessions/${sessionId}/messages`;
      const received = await readEventStream({ url, headers: { ...headers, accept: 'text/event-stream' }, body: { text: work.message } });
      const last = received.events.find(({ name }) => name === 'supervisor_result');
      const { terminal, snapshot } = ending.parse(JSON.parse(last?.data ?? 'null'));
      if (terminal !== 'FINISH_OK' || (work.steps !== null && snapshot.pipeline_trace.length !== work.steps)) {
        throw new Error(
          `ours, ${work.title}: ${terminal}, ${snapshot.pipeline_trace.length} steps, ${JSON.stringify(snapshot.error)}: ${snapshot.echo}`,
        );
      }
      return { ...received, runId: snapshot.runId, answer: snapshot.echo };
    },

    /** Whether the workspace's runs use the scripted model, or the deterministic path. */
    async useModel(isEnabled: boolean): Promise<void> {
      await requestJson({ url: `${base}/models/policy`, method: 'PUT', headers, body: { isEnabled, fallsBack: false } });
    },

    async setBudget(budget: { subject: 'tenant'; measure: 'tokens'; period: 'total'; hardLimit: number }): Promise<void> {
      await requestJson({ url: `${base}/budgets`, headers, body: budget });
    },

    /** Sends a message without staying for the answer. */
    async post(sessionId: string, text: string) {
      const { sentMs, endMs, body } = await requestJson({ url: `${base}/sessions/${sessionId}/messages`, headers, body: { text } });
      return { runId: sent.parse(body).runId, acceptedMs: endMs - sentMs };
    },

    /** Reads a run's log from its beginning to its end. */
    follow: (runId: string) =>
      readEventStream({ url: `${base}/runs/${runId}/events`, method: 'GET', headers: { ...headers, accept: 'text/event-stream' } }),
  };
}

interface OurLaneOptions {
  readonly server: OurServer;
  readonly database: string;
  readonly scratch: ScratchDatabase;
}

/** Turns of the deterministic path, each in a session of its own; there is no model, so the whole wall time is overhead. */
export function createOurLane(options: OurLaneOptions & { work: OurWork }): Lane {
  const { work } = options;
  return laneOf(options, work.title, false, async (api, sessionId) => {
    const received = await api.ask(sessionId, work);
    const totalMs = received.endMs - received.sentMs;
    return { received, timing: { sentMs: received.sentMs, totalMs, overheadMs: totalMs, firstTextMs: sinceSent(received, 'text-delta') } };
  });
}

/** Turns on the scripted model, each in a session of its own; the model's time is subtracted. */
export function createOurModelLane(options: OurLaneOptions & { work: string; workload: Workload; modelUrl: string }): Lane {
  const { work, workload, modelUrl } = options;
  return laneOf(options, work, true, async (api, sessionId) => {
    const plan = newPlan(workload, 'echo');
    const received = await api.ask(sessionId, { title: work, message: messageFor(plan), steps: null });
    if (received.answer !== answerOf(plan)) throw new Error(`ours, ${work}: answered ${received.answer.slice(0, 200)}`);
    const firstTextMs = received.sentMs + sinceSent(received, 'text-delta');
    return { received, timing: await subtractModelTime(modelUrl, plan.id, { ...received, firstTextMs }) };
  });
}

type Asked = Awaited<ReturnType<ReturnType<typeof ourApi>['ask']>>;

function laneOf(
  { server, database, scratch }: OurLaneOptions,
  work: string,
  usesModel: boolean,
  ask: (api: ReturnType<typeof ourApi>, sessionId: string) => Promise<{ received: Asked; timing: Omit<TurnTiming, 'id' | 'points'> }>,
): Lane {
  const api = ourApi(server);
  let sessions: string[] = [];
  return {
    name: server.name,
    work,
    server,
    database,
    async prepare(turns) {
      await api.useModel(usesModel);
      sessions = await api.newSessions(turns);
    },
    async turn() {
      const sessionId = sessions.pop();
      if (!sessionId) throw new Error('no session is left: prepare more');
      const { received, timing } = await ask(api, sessionId);
      return {
        id: received.runId,
        ...timing,
        points: {
          headers: received.headersMs - received.sentMs,
          'first event': sinceSent(received, 'UserPromptSubmitted'),
          begun: sinceSent(received, 'SUPERVISOR_RUN_START'),
          'log ends': sinceSent(received, 'STREAM_DONE'),
        },
      };
    },
    inspect: (turns) => readRunTimes(scratch, database, turns),
  };
}

function sinceSent(received: Asked, name: string): number {
  return (received.events.find((event) => event.name === name)?.atMs ?? received.endMs) - received.sentMs;
}

/** From the run's own instants, which are whole milliseconds: the mean of many is finer. */
async function readRunTimes(scratch: ScratchDatabase, database: string, turns: readonly TurnTiming[]): Promise<Record<string, number>> {
  const rows = await scratch.query(
    database,
    `select extract(epoch from started_at - created_at) * 1000 as queued, extract(epoch from ended_at - started_at) * 1000 as driven
     from run where id = any($1::uuid[])`,
    [turns.map(({ id }) => id.slice('run_'.length))],
  );
  return {
    'submit to drive': mean(rows.map((row) => Number(row.queued))),
    'drive to end': mean(rows.map((row) => Number(row.driven))),
  };
}
