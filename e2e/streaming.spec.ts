import { transcriptView } from '#lib/conversations/contract.ts';
import { supervisorResult } from '#lib/supervisor/contract.ts';
import { sequenceOf, textOf, upTo } from './event-stream-reader.ts';
import { expect, test } from './fixtures.ts';
import { type Nginx, startNginx } from './nginx.ts';
import type { TenantClient } from './tenant-client.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace } from './workspaces.ts';

/** What the test capability says for so many chunks. */
const chunks = (count: number) =>
  upTo(count)
    .map((number) => `chunk-${number} `)
    .join('');
const readTranscript = (api: TenantClient, sessionId: string) => api.get(`/sessions/${sessionId}`, transcriptView);

verifies(
  'K1',
  'a reader who reloads, and loses the connection three times, has every event once and in order',
  async ({ workspace: { api } }) => {
    test.setTimeout(60_000);
    const session = await api.createSession();
    await api.ask(session.id, 'stream chunks: 3 chunks, 5 ms');
    const firstTurn = (await readTranscript(api, session.id)).messages;
    expect(firstTurn.map(({ text }) => text)).toEqual(['stream chunks: 3 chunks, 5 ms', chunks(3)]);

    // Many short steps and one that streams: more than 300 events.
    const steps = upTo(10).map((number) => `${number % 2 ? 'keyed' : 'idempotent'} effect "k1-${number}"`);
    const { runId } = await api.say(session.id, `${steps.join('; ')}; stream chunks: 235 chunks, 105 ms`);
    const live = await api.stream(runId);
    await live.until(({ events }) => events.length > 300, 30_000);
    live.drop();

    // A reload reads from the start: what is stored comes at once, without a wait for what is still to be written.
    const askedAt = performance.now();
    let reader = await api.stream(runId);
    await reader.until(({ events }) => events.length > 300);
    expect(performance.now() - askedAt).toBeLessThan(1_000);
    expect(sequenceOf(reader.events).slice(0, 300)).toEqual(upTo(300));
    const received = [...reader.events];
    reader.drop();
    for (let reconnect = 1; reconnect <= 3; reconnect += 1) {
      reader = await api.stream(runId, { 'last-event-id': String(sequenceOf(received).at(-1)) });
      await reader.until(({ events }) => events.length > 0, 2_000);
      received.push(...reader.events);
      reader.drop();
      expect((await readTranscript(api, session.id)).messages.slice(0, 2)).toEqual(firstTurn);
    }
    reader = await api.stream(runId, { 'last-event-id': String(sequenceOf(received).at(-1)) });
    received.push(...(await reader.toEnd(30_000)));

    const sequence = sequenceOf(received);
    expect(sequence).toEqual(upTo(sequence.length));
    const done = upTo(10).map((number) => `done: k1-${number}\n\n`);
    expect(textOf(received)).toBe(done.join('') + chunks(235));
    expect(received.every(({ data }) => data.runId === runId)).toBe(true);
    const { messages } = await readTranscript(api, session.id);
    expect(messages.slice(0, 2)).toEqual(firstTurn);
    expect(messages.slice(2).map(({ role, text }) => [role, text])).toEqual([
      ['user', expect.stringContaining('k1-10')],
      ['assistant', textOf(received)],
    ]);
  },
);

verifies('K2', 'an answer is kept whole when its reader goes away in the middle', async ({ workspace: { api } }) => {
  const session = await api.createSession();
  const reader = await api.openStream(`/sessions/${session.id}/messages`, { json: { text: 'stream chunks: 50 chunks, 30 ms' } });
  await reader.until(({ text }) => text.includes('chunk-20 '));
  expect(reader.text).not.toContain('chunk-50 ');
  reader.drop();
  const runId = String(reader.events[0]?.data.runId);
  expect(await api.getEndedRun(runId)).toMatchObject({ state: 'FINISH_OK', answer: chunks(50) });
  const { messages } = await readTranscript(api, session.id);
  expect(messages.map(({ role, text, state }) => [role, text, state])).toEqual([
    ['user', 'stream chunks: 50 chunks, 30 ms', 'complete'],
    ['assistant', chunks(50), 'complete'],
  ]);
});

verifies('P-25', 'a stream and a request that waits have the same result of the same run', async ({ workspace: { api } }) => {
  const session = await api.createSession();
  const [path, json, headers] = [`/sessions/${session.id}/messages`, { text: 'What is 17% of 2,340?' }, { 'idempotency-key': 'p-25' }];
  const reader = await api.openStream(path, { json, headers });
  const events = await reader.toEnd();
  expect(events.slice(-3).map(({ type }) => type)).toEqual(['STREAM_DONE', 'supervisor_result', 'done']);
  const { sessionId, preset, runId } = events.at(-1)?.data ?? {};
  expect({ sessionId, preset }).toEqual({ sessionId: session.id, preset: 'default' });
  const streamed = supervisorResult.parse(events.at(-2)?.data);
  expect(streamed).toMatchObject({ terminal: 'FINISH_OK', snapshot: { runId, echo: expect.stringContaining('397.8') } });
  expect(textOf(events)).toBe(streamed.snapshot.echo);

  // The same request again, waiting: the key names the run that there is.
  expect(await api.post(`${path}?wait=true`, json, supervisorResult, headers)).toEqual(streamed);
  // And whoever comes when all is over is told all of it, then the same end.
  expect(textOf(await (await api.stream(String(runId))).toEnd())).toBe(streamed.snapshot.echo);
  const late = await api.stream(String(runId), { 'last-event-id': reader.lastId });
  expect((await late.toEnd()).map(({ type, data }) => [type, data])).toEqual(events.slice(-2).map(({ type, data }) => [type, data]));
});

verifies(
  ['P-11', 'K1'],
  'one stream carries several runs, each whole, and resumes each at its own place',
  async ({ workspace: { api }, origin }) => {
    const runs = await Promise.all(
      [11, 12, 13].map(async (count) => {
        const session = await api.createSession();
        const { runId } = await api.say(session.id, `stream chunks: ${count} chunks, 60 ms`);
        return { runId, count };
      }),
    );
    const stranger = (await createWorkspace(origin)).api;
    const theirs = await stranger.ask((await stranger.createSession()).id, 'echo secret');
    const list = (positions: readonly string[]) => api.openStream(`/stream?runs=${positions.join(',')}`);

    const first = await list([...runs.map(({ runId }) => `${runId}:0`), `${theirs.snapshot.runId}:0`]);
    await first.until(({ events }) =>
      runs.every(({ runId }) => events.some(({ id, type }) => type === 'text-delta' && id?.startsWith(runId))),
    );
    first.drop();
    expect(first.events.filter(({ data }) => data.runId === theirs.snapshot.runId).map(({ type }) => type)).toEqual(['not-found']);
    expect(JSON.stringify(first.events)).not.toContain('secret');

    const lastOf = (runId: string) => first.events.findLast(({ id }) => id?.startsWith(`${runId}:`))?.id ?? '';
    const second = await list(runs.map(({ runId }) => lastOf(runId)));
    await second.until(({ events }) => events.filter(({ type }) => type === 'done').length === 3);
    second.drop();
    for (const { runId, count } of runs) {
      const own = [...first.events, ...second.events].filter(({ id }) => id?.startsWith(`${runId}:`));
      const sequence = own.map(({ id }) => Number(id?.split(':')[1]));
      expect(sequence).toEqual(upTo(sequence.length));
      expect(textOf(own)).toBe(chunks(count));
      expect(
        second.events
          .filter(({ data }) => data.runId === runId)
          .slice(-2)
          .map(({ type }) => type),
      ).toEqual(['supervisor_result', 'done']);
    }
  },
);

verifies(
  'K3',
  'a silent stream gives signs of life, and says to everything on its way not to hold it back',
  async ({ workspace: { api } }) => {
    const session = await api.createSession();
    const { runId } = await api.say(session.id, 'stream chunks: 1 chunk, 3600 ms');
    const reader = await api.stream(runId);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    await reader.toEnd();
    const beats = reader.comments.filter(({ text }) => text === 'heartbeat').map(({ afterMs }) => afterMs);
    expect(beats.length).toBeGreaterThanOrEqual(2);
    const silences = beats.map((at, index) => at - (beats[index - 1] ?? at));
    // HEARTBEAT_MS is one second here.
    expect(Math.max(...silences)).toBeLessThan(1_600);
  },
);

verifies(
  'K3',
  'events pass one nginx and two in a row as they come, and silence outlasts their patience',
  async ({ workspace: { api }, origin }) => {
    let nginx: Nginx | undefined;
    try {
      nginx = await startNginx(origin, 2);
      const gzip = { 'accept-encoding': 'gzip' };
      const watch = async (proxy: string, text: string) => {
        const { id } = await api.createSession();
        const reader = await api.with({ origin: proxy }).openStream(`/sessions/${id}/messages`, { json: { text }, headers: gzip });
        await reader.toEnd();
        return reader;
      };
      for (const readers of await Promise.all(
        [nginx.oneOrigin, nginx.twoOrigin].map((proxy) =>
          Promise.all([watch(proxy, 'stream chunks: 20 chunks, 500 ms'), watch(proxy, 'stream chunks: 2 chunks, 4000 ms')]),
        ),
      )) {
        const [steady, silent] = readers;
        const deltas = steady.events.filter(({ type }) => type === 'text-delta');
        expect(deltas).toHaveLength(20);
        expect(Math.max(...deltas.map(({ at, data }) => at - Date.parse(String(data.at))))).toBeLessThan(1_000);
        expect(steady.headers['cache-control']).toBe('no-cache, no-transform');
        expect(steady.text).toBe(chunks(20));
        // Four seconds without a word, and nginx gives up after two.
        expect(silent.text).toBe(chunks(2));
        expect(silent.events.at(-1)?.type).toBe('done');
      }
    } finally {
      await nginx?.stop();
    }
  },
);
