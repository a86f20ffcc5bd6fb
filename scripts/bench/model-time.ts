import { z } from 'zod';
import type { ReceivedStream } from './event-stream-client.ts';
import type { TurnTiming } from './lane.ts';
import { coveredMs } from './statistics.ts';

const modelLog = z.array(z.object({ inMs: z.number(), firstMs: z.number(), outMs: z.number(), isAnswer: z.boolean() }));

/** What a turn took besides the model, by the model server's own log of it. */
export async function subtractModelTime(
  modelUrl: string,
  planId: string,
  turn: Pick<ReceivedStream, 'sentMs' | 'endMs'> & { readonly firstTextMs: number },
): Promise<Pick<TurnTiming, 'sentMs' | 'totalMs' | 'overheadMs' | 'firstTextMs'>> {
  const calls = modelLog.parse(await (await fetch(`${modelUrl}/log?id=${planId}`)).json());
  const { sentMs, endMs, firstTextMs } = turn;
  const untilFirstText = calls.map((call) => [call.inMs, call.isAnswer ? call.firstMs : call.outMs] as const);
  return {
    sentMs,
    totalMs: endMs - sentMs,
    overheadMs: endMs - sentMs - coveredMs(calls.map((call) => [call.inMs, call.outMs])),
    firstTextMs: firstTextMs - sentMs - coveredMs(untilFirstText),
  };
}
