import path from 'node:path';
import { z } from 'zod';
import { readEventStream } from './event-stream-client.ts';
import type { Lane } from './lane.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { answerOf, messageFor, newPlan, type Workload } from './model-plan.ts';
import { subtractModelTime } from './model-time.ts';

const peerEvent = z.object({ d: z.string().optional(), error: z.string().optional() });

export type PeerName = 'fetch' | 'ai-sdk' | 'ai-sdk-inserts';

export const PEER_TITLES: Readonly<Record<PeerName, string>> = {
  fetch: 'fetch loop',
  'ai-sdk': 'AI SDK loop',
  'ai-sdk-inserts': 'AI SDK loop + inserts',
};

export function startPeer(options: {
  name: PeerName;
  modelUrl: string;
  databaseUrl: string;
  databasePort: number;
  folder: string;
}): Promise<MeasuredProcess> {
  const { name, modelUrl, databaseUrl, databasePort, folder } = options;
  return startMeasured({
    name: PEER_TITLES[name],
    cwd: path.dirname(import.meta.dirname),
    args: (port) => [path.join(import.meta.dirname, 'peer-host.ts'), name, modelUrl, String(port), databaseUrl],
    env: () => ({}),
    readyPath: '/',
    databasePort,
    folder,
  });
}

/** Turns of a loop on the scripted model, each in a session of its own; the model's time is subtracted. */
export function createPeerLane(options: {
  server: MeasuredProcess;
  work: string;
  workload: Workload;
  modelUrl: string;
  database: string | null;
}): Lane {
  const { server, work, workload, modelUrl, database } = options;
  let sessions = 0;
  return {
    name: server.name,
    work,
    server,
    database,
    prepare: async () => undefined,
    async turn() {
      const plan = newPlan(workload, 'lookup');
      sessions += 1;
      const sessionId = `${work}-${sessions}`;
      const received = await readEventStream({ url: `${server.url}/turn`, body: { sessionId, text: messageFor(plan) } });
      const events = received.events.map(({ data, atMs }) => ({ ...peerEvent.parse(JSON.parse(data)), atMs }));
      const said = events.map(({ d }) => d ?? '').join('');
      const error = events.find((event) => event.error)?.error;
      if (error !== undefined || said !== answerOf(plan)) {
        throw new Error(`${server.name}: ${error ?? `said ${said.length} characters, not ${answerOf(plan).length}`}`);
      }
      const firstTextMs = events.find((event) => event.d)?.atMs ?? received.endMs;
      return { id: plan.id, points: {}, ...(await subtractModelTime(modelUrl, plan.id, { ...received, firstTextMs })) };
    },
  };
}
