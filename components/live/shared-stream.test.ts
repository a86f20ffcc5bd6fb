import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEventView } from '#lib/supervisor/contract.ts';
import { SharedStream } from './shared-stream.ts';

/** A server that keeps run logs and streams them as ours does: from after a position, then live. */
class LogServer {
  readonly logs = new Map<string, RunEventView[]>();
  readonly ended = new Set<string>();
  readonly requests: string[] = [];
  readonly open = new Map<ServerResponse, Map<string, number>>();
  refuseWith: number | undefined;
  #server: Server | undefined;
  origin = '';

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      const runs = new URL(request.url ?? '/', 'http://test').searchParams.get('runs') ?? '';
      this.requests.push(runs);
      if (this.refuseWith !== undefined) {
        response.writeHead(this.refuseWith).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n');
      this.open.set(response, new Map(runs.split(',').map((part) => [part.split(':')[0] ?? '', Number(part.split(':')[1])] as const)));
      response.on('close', () => this.open.delete(response));
      this.#pump();
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.origin = `http://127.0.0.1:${address.port}`;
  }

  append(runId: string, ...texts: string[]): void {
    const log = this.logs.get(runId) ?? [];
    this.logs.set(runId, log);
    for (const text of texts) log.push({ runId, seq: log.length + 1, type: 'text-delta', at: '2026-01-01T00:00:00Z', payload: { text } });
    this.#pump();
  }

  /** Says of a run that it is not there, as for another tenant's. */
  forget(runId: string): void {
    for (const [response, positions] of this.open) {
      if (positions.delete(runId)) response.write(`event: not-found\ndata: ${JSON.stringify({ runId })}\n\n`);
    }
  }

  end(runId: string): void {
    this.ended.add(runId);
    this.#pump();
  }

  cutAll(): void {
    for (const response of [...this.open.keys()]) response.destroy();
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  #pump(): void {
    for (const [response, positions] of this.open) {
      for (const [runId, after] of positions) {
        for (const event of (this.logs.get(runId) ?? []).filter(({ seq }) => seq > after)) {
          response.write(`id: ${runId}:${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
          positions.set(runId, event.seq);
        }
        if (this.ended.has(runId)) {
          response.write(`event: done\ndata: ${JSON.stringify({ runId, sessionId: 'ses_1', preset: 'default' })}\n\n`);
          positions.delete(runId);
        }
      }
    }
  }
}

let server: LogServer;
const tabs: SharedStream[] = [];
let lockName = 0;
let name = '';

beforeEach(async () => {
  server = new LogServer();
  await server.listen();
  lockName += 1;
  name = `tabs-${process.pid}-${lockName}`;
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
  server.close();
});

/** A channel on which what this tab says waits until it is let out, as it does when the machine is busy. */
function slowChannel(): { openChannel: (channelName: string) => BroadcastChannel; letOut: () => void } {
  let waiting: (() => void)[] | null = [];
  return {
    openChannel: (channelName) => {
      const channel = new BroadcastChannel(channelName);
      const post = channel.postMessage.bind(channel);
      channel.postMessage = (message: unknown) => (waiting ? void waiting.push(() => post(message)) : post(message));
      return channel;
    },
    letOut: () => {
      for (const say of waiting ?? []) say();
      waiting = null;
    },
  };
}

function openTab(
  kind: 'sharing' | 'alone' = 'sharing',
  openChannel = (channelName: string) => new BroadcastChannel(channelName),
): SharedStream {
  const tab = new SharedStream({
    name,
    urlFor: (positions) => `${server.origin}/stream?runs=${[...positions].map(([run, after]) => `${run}:${after}`).join(',')}`,
    ...(kind === 'sharing' ? { locks: navigator.locks, openChannel } : {}),
  });
  tabs.push(tab);
  return tab;
}

function read(
  tab: SharedStream,
  runId: string,
  after = 0,
): { texts: () => string; seqs: number[]; hasEnded: () => boolean; stop: () => void } {
  const events: RunEventView[] = [];
  let ended = false;
  const stop = tab.follow(runId, after, { onEvent: (event) => events.push(event), onEnd: () => (ended = true) });
  return {
    texts: () => events.map(({ payload }) => String(payload['text'])).join(''),
    get seqs() {
      return events.map(({ seq }) => seq);
    },
    hasEnded: () => ended,
    stop,
  };
}

const soon = (check: () => void) => vi.waitFor(check, { timeout: 4000, interval: 10 });

describe('SharedStream', () => {
  it('delivers a run once and in order over dropped connections, from exactly where it stood', async () => {
    server.append('run_a', 'a', 'b', 'c');
    const reader = read(openTab('alone'), 'run_a');
    await soon(() => expect(reader.texts()).toBe('abc'));
    for (const piece of ['d', 'e', 'f']) {
      server.cutAll();
      server.append('run_a', piece);
      await soon(() => expect(reader.texts().endsWith(piece)).toBe(true));
    }
    server.end('run_a');
    await soon(() => expect(reader.hasEnded()).toBe(true));
    expect(reader.seqs).toEqual([1, 2, 3, 4, 5, 6]);
    expect(server.requests).toEqual(['run_a:0', 'run_a:3', 'run_a:4', 'run_a:5']);
  });

  it('holds one connection for two tabs and gives a late tab the whole run', async () => {
    const first = openTab();
    const early = read(first, 'run_a');
    server.append('run_a', '一', '二');
    await soon(() => expect(early.texts()).toBe('一二'));
    const late = read(openTab(), 'run_a');
    await soon(() => expect(late.texts()).toBe('一二'));
    server.append('run_a', '三');
    await soon(() => expect([early.texts(), late.texts()]).toEqual(['一二三', '一二三']));
    expect(server.open.size).toBe(1);
    expect(early.seqs).toEqual([1, 2, 3]);
    expect(late.seqs).toEqual([1, 2, 3]);
  });

  it('does not end a run for a tab that has not been given it yet', async () => {
    const first = openTab();
    server.append('run_a', 'a', 'b');
    const early = read(first, 'run_a');
    await soon(() => expect(early.texts()).toBe('ab'));
    const { openChannel, letOut } = slowChannel();
    const late = read(openTab('sharing', openChannel), 'run_a');
    server.append('run_a', 'c');
    server.end('run_a');
    await soon(() => expect(early.hasEnded()).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([late.texts(), late.hasEnded()]).toEqual(['', false]);
    letOut();
    await soon(() => expect([late.texts(), late.hasEnded()]).toEqual(['abc', true]));
  });

  it('ends a run that is not there, and goes on with the others', async () => {
    const tab = openTab('alone');
    const [gone, other] = [read(tab, 'run_gone'), read(tab, 'run_a')];
    await soon(() => expect(server.open.size).toBe(1));
    await soon(() => expect(server.requests.at(-1)).toBe('run_gone:0,run_a:0'));
    server.forget('run_gone');
    await soon(() => expect(gone.hasEnded()).toBe(true));
    server.append('run_a', 'still here');
    await soon(() => expect(other.texts()).toBe('still here'));
    server.cutAll();
    await soon(() => expect(server.requests.at(-1)).toBe('run_a:1'));
  });

  it('goes on in another tab when the one that held the connection closes', async () => {
    const first = openTab();
    read(first, 'run_a');
    server.append('run_a', 'x');
    const second = openTab();
    const reader = read(second, 'run_a');
    await soon(() => expect(reader.texts()).toBe('x'));
    first.close();
    server.append('run_a', 'y', 'z');
    await soon(() => expect(reader.texts()).toBe('xyz'));
    expect(reader.seqs).toEqual([1, 2, 3]);
    expect(second.status).toEqual({ state: 'live' });
  });

  it('tells every tab how the connection stands, and stops asking once refused', async () => {
    server.refuseWith = 401;
    const [first, second] = [openTab(), openTab()];
    read(first, 'run_a');
    read(second, 'run_a');
    await soon(() =>
      expect([first.status, second.status]).toEqual([
        { state: 'refused', httpStatus: 401 },
        { state: 'refused', httpStatus: 401 },
      ]),
    );
    const asked = server.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(server.requests.length).toBe(asked);
  });

  it('closes the connection when nobody follows a run any more', async () => {
    const tab = openTab('alone');
    const reader = read(tab, 'run_a');
    await soon(() => expect(server.open.size).toBe(1));
    reader.stop();
    await soon(() => expect(server.open.size).toBe(0));
    expect(tab.status).toEqual({ state: 'idle' });
  });

  it('says since when it is lost, and recovers', async () => {
    const tab = openTab('alone');
    const reader = read(tab, 'run_a');
    await soon(() => expect(tab.status.state).toBe('live'));
    const statuses: string[] = [];
    tab.onStatusChange(() => statuses.push(tab.status.state));
    server.cutAll();
    server.append('run_a', 'back');
    await soon(() => expect(reader.texts()).toBe('back'));
    expect(statuses).toEqual(['lost', 'live']);
  });
});
