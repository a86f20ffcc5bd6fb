import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';

/** What a reader got who followed one run through every crash. */
export interface Followed {
  readonly runId: string;
  /** In the order they came, over all connections. */
  readonly seqs: readonly number[];
  /** Where each connection went. */
  readonly connections: readonly string[];
  readonly isEnded: boolean;
}

/**
 * Reads a run's event stream as a browser does: goes on at the last event seen whenever the connection breaks, on any
 * process. Ends with STREAM_DONE or when `signal` fires.
 */
export async function followRun(options: {
  runId: string;
  tenant: string;
  apiKey: string;
  addresses: () => readonly string[];
  signal: AbortSignal;
}): Promise<Followed> {
  const seqs: number[] = [];
  const connections: string[] = [];
  let isEnded = false;
  const parser = createParser({
    onEvent: ({ id, event }) => {
      if (id !== undefined) seqs.push(Number(id));
      if (event === 'STREAM_DONE') isEnded = true;
    },
  });
  while (!isEnded && !options.signal.aborted) {
    const addresses = options.addresses();
    const address = addresses[connections.length % addresses.length];
    if (address !== undefined) {
      connections.push(address);
      parser.reset();
      await readOnce(`${address}/api/t/${options.tenant}/runs/${options.runId}/events`, {
        headers: {
          authorization: `Bearer ${options.apiKey}`,
          accept: 'text/event-stream',
          'last-event-id': String(seqs.at(-1) ?? 0),
        },
        signal: options.signal,
        onText: (text) => parser.feed(text),
      });
    }
    if (!isEnded) await sleep(50);
  }
  return { runId: options.runId, seqs, connections, isEnded };
}

/** A stopped process keeps its connections open and says nothing: the heartbeat's absence is noticed like a browser's user would. */
const SILENCE_MS = 5_000;

async function readOnce(
  url: string,
  options: { headers: Record<string, string>; signal: AbortSignal; onText: (text: string) => void },
): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(url, { headers: options.headers, signal: AbortSignal.any([options.signal, silence.signal]) });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      return;
    }
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      options.onText(decoder.decode(chunk, { stream: true }));
    }
  } catch {
    // The connection broke: the caller goes on where it stood.
  } finally {
    clearTimeout(timer);
  }
}
