import { setTimeout as sleep } from 'node:timers/promises';
import { transcriptView } from '#lib/conversations/contract.ts';
import { newId } from '#lib/kernel/index.ts';
import { upTo } from './event-stream-reader.ts';
import { expect, test } from './fixtures.ts';
import { countRowsOfTenant } from './owner-database.ts';
import { type ClientAnswer, expectRefusal, type TenantClient } from './tenant-client.ts';
import { verifies } from './verifies-in-browser.ts';
import { bearer, createWorkspace, type Workspace } from './workspaces.ts';

let workspace: Workspace;
let other: Workspace;
let sessionId: string;
let messages: string;
let finishedRun: string;

test.beforeAll(async ({ origin }) => {
  workspace = await createWorkspace(origin);
  other = await createWorkspace(origin, 'Elsewhere');
  sessionId = (await workspace.api.createSession()).id;
  messages = `/sessions/${sessionId}/messages`;
  finishedRun = (await workspace.api.ask(sessionId, 'echo hello')).snapshot.runId;
});

const long = (length: number) => 'x'.repeat(length);

const openSessionBy = (key: string) => (api: TenantClient) => api.with({ identity: bearer(key) }).send('/sessions', { json: {} });

/** Sends what must be refused, and looks whether anything was written for it. What the audit log notes is meant to be. */
const refused = test.extend<{
  refuse: (status: number, code: string, send: (api: TenantClient) => Promise<ClientAnswer>) => Promise<unknown>;
}>({
  refuse: async ({ database }, use) => {
    const count = () => countRowsOfTenant(database, workspace.slug, { except: ['audit_event'] });
    const before = await count();
    await use(async (status, code, send) => expectRefusal(await send(workspace.api), status, code).details);
    expect(await count()).toEqual(before);
  },
});

refused('a message that says nothing, or far too much', async ({ refuse }) => {
  for (const text of ['', ' \n\t ', '\u00a0\u3000']) await refuse(400, 'message_empty', (api) => api.send(messages, { json: { text } }));
  const details = await refuse(413, 'message_too_large', (api) => api.send(messages, { json: { text: 'x'.repeat(64 * 1024 + 1) } }));
  expect(details).toEqual({ limitBytes: 65_536, bytes: 65_537 });
  // Bytes, not characters.
  await refuse(413, 'message_too_large', (api) => api.send(messages, { json: { text: '食'.repeat(22_000) } }));
  for (const size of [1024 * 1024, 8 * 1024 * 1024])
    await refuse(413, 'payload_too_large', (api) => api.send(messages, { json: { text: 'x'.repeat(size) } }));
});

refused('a body that is no JSON, or JSON of another shape', async ({ refuse }) => {
  const json = { 'content-type': 'application/json' };
  for (const raw of ['', '{', '{"text":', '{text: 1}', '['.repeat(50_000), 'null garbage', '{"text":"a"}{"text":"b"}'])
    await refuse(400, 'malformed_json', (api) => api.send(messages, { method: 'POST', raw, headers: json }));
  for (const raw of [
    'null',
    '[]',
    '"text"',
    '{}',
    '{"text":5}',
    '{"text":["a"]}',
    '{"text":null}',
    '{"text":"a","locale":"fr"}',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  ]) {
    const details = await refuse(400, 'invalid_request', (api) => api.send(messages, { method: 'POST', raw, headers: json }));
    expect(details).toMatchObject({ problems: [{ path: expect.stringMatching(/^body/), message: expect.any(String) }] });
  }
  await refuse(400, 'invalid_request', (api) => api.send(messages, { json: { text: 'echo a', timeZone: 'Mars/Olympus' } }));
  await refuse(400, 'invalid_request', (api) => api.send(messages, { json: { text: 'echo a', timeZone: 'x'.repeat(65) } }));
});

refused('a body of another kind', async ({ refuse }) => {
  const text = '{"text":"echo a"}';
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp', ''])
    await refuse(415, 'unsupported_media_type', (api) =>
      api.send(messages, { method: 'POST', raw: Buffer.from(text), headers: type ? { 'content-type': type } : {} }),
    );
});

refused('what is not there, or not this tenant’s', async ({ refuse }) => {
  await refuse(400, 'unknown_preset', (api) => api.send('/sessions', { json: { preset: 'no-such-preset' } }));
  await refuse(400, 'unknown_preset', (api) => api.send('/sessions', { json: { preset: '__proto__' } }));
  const theirs = await other.api.createSession();
  for (const id of [theirs.id, newId('session')])
    await refuse(404, 'session_not_found', (api) => api.send(`/sessions/${id}/messages`, { json: { text: 'echo a' } }));
  for (const id of ['x', `${sessionId}0`, 'ses_', '%00', encodeURIComponent('../../runs'), newId('run')])
    await refuse(404, 'not_found', (api) => api.send(`/sessions/${id}/messages`, { json: { text: 'echo a' } }));
  await refuse(404, 'not_found', (api) => api.with({ tenant: 'no-such-tenant' }).send('/sessions', { json: {} }));
  for (const tenant of ['%00', '..%2f..', '__proto__', 'x'.repeat(500)])
    await refuse(404, 'not_found', (api) => api.with({ tenant }).send('/sessions', { json: {} }));
});

refused('a key that is another tenant’s, over, taken back, or none', async ({ refuse }) => {
  await refuse(404, 'not_found', (api) => api.with({ identity: other.api.identity }).send('/sessions', { json: {} }));
  for (const key of ['', 'bw_', 'bw_nonsense', 'x'.repeat(4_000)]) await refuse(401, 'unauthenticated', openSessionBy(key));
  await refuse(401, 'unauthenticated', (api) => api.with({ identity: {} }).send('/sessions', { json: {} }));
  await refuse(401, 'unauthenticated', (api) => api.with({ identity: { authorization: 'Basic eDp5' } }).send('/sessions', { json: {} }));
  await refuse(401, 'unauthenticated', (api) =>
    api.with({ identity: { cookie: 'bailiwick-session-00000000=forged', origin: api.origin } }).send('/sessions', { json: {} }),
  );
});

test('a key that has ended or was taken back opens nothing', async () => {
  const ending = await workspace.createKey(['run:read'], new Date(Date.now() + 4_000).toISOString());
  const revoked = await workspace.createKey(['run:read']);
  const asking = (key: string) => workspace.api.with({ identity: bearer(key) });
  for (const { key } of [ending, revoked]) expect((await asking(key).send('/runs')).status).toBe(200);
  expect((await workspace.ownerApi.send(`/api-keys/${revoked.id}`, { method: 'DELETE' })).status).toBe(204);
  expectRefusal(await asking(revoked.key).send('/runs'), 401, 'unauthenticated');
  await sleep(4_100);
  expectRefusal(await asking(ending.key).send('/runs'), 401, 'unauthenticated');
});

refused('an address or a method that is not there', async ({ refuse }) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    for (const path of ['/nothing', '/sessions/a/b/c', '/api/nothing', '/api/t'])
      await refuse(404, 'not_found', (api) => api.send(path, { method }));
  }
  for (const [method, path, allow] of [
    ['GET', messages, 'POST'],
    ['DELETE', messages, 'POST'],
    ['PUT', '/runs', 'GET'],
    ['POST', `/runs/${finishedRun}`, 'GET'],
    ['POST', '/api/healthz', 'GET'],
    ['PATCH', '/documents', 'GET, POST'],
  ] as const) {
    const answer = await workspace.api.send(path, { method });
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allow);
  }
  await refuse(405, 'method_not_allowed', (api) => api.send('/stream', { method: 'POST' }));
});

refused('headers and addresses that are too long', async ({ refuse }) => {
  // Beyond what an HTTP server takes at all there is no answer of ours.
  for (const answer of [
    await workspace.api.send('/runs', { headers: { 'x-long': long(40_000) } }),
    await workspace.api.send(`/runs?q=${long(40_000)}`),
  ])
    expect(answer.status).toBe(431);
  await refuse(400, 'invalid_request', (api) => api.send(`/runs?q=${long(8_000)}`));
  await refuse(400, 'invalid_request', (api) => api.send(`/sessions?q=${long(8_000)}`));
  await refuse(400, 'invalid_request', (api) =>
    api.send(messages, { json: { text: 'echo a' }, headers: { 'idempotency-key': long(8_000) } }),
  );
});

refused('a cursor, a filter or a place in a stream that is none', async ({ refuse }) => {
  for (const list of ['/runs', '/sessions', '/documents', '/members', '/api-keys', '/audit']) {
    for (const cursor of ['x', '%00', '-1', newId('question'), 'eyJhIjoxfQ', "' or 1=1", 'x'.repeat(150)])
      await refuse(400, 'invalid_request', (api) => api.send(`${list}?cursor=${encodeURIComponent(cursor)}`));
  }
  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=ten',
    'limit=1&limit=2',
    'state=NONE',
    'from=yesterday',
    'from=2026-02-30T00:00:00Z',
    'session=x',
    'actor=x',
  ])
    await refuse(400, 'invalid_request', (api) => api.send(`/runs?${query}`));
  for (const query of [
    '',
    '?runs=x',
    '?runs=run_x:1',
    `?runs=${finishedRun}:-1`,
    `?runs=${finishedRun}:x`,
    `?runs=${upTo(101)
      .map(() => finishedRun)
      .join(',')}`,
  ])
    await refuse(400, 'invalid_request', (api) => api.send(`/stream${query}`));
  for (const query of ['after=x', 'after=-1', 'after=1.5', 'limit=0', 'limit=5000'])
    await refuse(400, 'invalid_request', (api) => api.send(`/runs/${finishedRun}/events?${query}`));
});

test('a Last-Event-ID that is none starts at the beginning; one past the end is only told the end', async () => {
  const length = (await workspace.api.listEvents(finishedRun)).length;
  for (const id of ['x', '-1', '1.5', '', 'run_x:3', '99999999999999999999']) {
    const events = await (await workspace.api.stream(finishedRun, { 'last-event-id': id })).toEnd();
    expect([id, events.filter((event) => event.id !== undefined).length]).toEqual([id, length]);
  }
  const past = await (await workspace.api.stream(finishedRun, { 'last-event-id': '999999' })).toEnd();
  expect(past.map(({ type }) => type)).toEqual(['supervisor_result', 'done']);
});

verifies('K23', 'text that no database holds is taken, and literal backslashes stay as they are', async () => {
  const { api } = workspace;
  for (const [sent, kept] of [
    ['echo a\u0000b', 'a\ufffdb'],
    ['echo \ud800 and \udfff', '\ufffd and \ufffd'],
    ['echo \\u0000 \\ud800', '\\u0000 \\ud800'],
    ['echo 👩‍👩‍👧 食堂', '👩‍👩‍👧 食堂'],
  ] as const) {
    const session = await api.createSession();
    const { terminal, snapshot } = await api.ask(session.id, sent);
    expect([terminal, snapshot.echo]).toEqual(['FINISH_OK', kept]);
    const transcript = await api.get(`/sessions/${session.id}`, transcriptView);
    expect(transcript.messages.map(({ text }) => text)).toEqual([`echo ${kept}`, kept]);
    expect(transcript.session.title).toBe(`echo ${kept}`);
  }
  // Bytes that are no UTF-8; and NUL in every other text that a client may name.
  const bytes = Buffer.concat([Buffer.from('{"text":"echo a'), Buffer.from([0xff, 0xfe]), Buffer.from('b"}')]);
  const raw = await api.send(`/sessions/${(await api.createSession()).id}/messages?wait=true`, {
    raw: bytes,
    headers: { 'content-type': 'application/json' },
  });
  expect(raw).toMatchObject({ status: 200, body: { snapshot: { echo: 'a\ufffd\ufffdb' } } });
  const nul = 'a\u0000\ud800b';
  const writes: readonly (readonly [string, 'POST' | 'PATCH' | 'PUT', unknown])[] = [
    ['/sessions', 'POST', { title: nul }],
    ['/sessions', 'POST', { preset: nul }],
    [`/sessions/${sessionId}`, 'PATCH', { title: nul }],
    ['/documents', 'POST', { title: nul, language: 'en', body: `# ${nul}\n\n${nul}` }],
    ['/facts', 'POST', { text: nul }],
    ['/roles', 'POST', { name: nul, permissions: ['run:read'] }],
    ['/roles', 'POST', { name: 'x', permissions: [nul] }],
    ['/api-keys', 'POST', { name: nul, scopes: ['run:read'] }],
    ['/members', 'POST', { name: nul, email: 'nul@example.test', password: `${nul} and twelve more`, roleKey: 'member' }],
    ['/members', 'POST', { name: 'x', email: 'nul2@example.test', password: 'correct horse battery', roleKey: nul }],
    [`/runs/${finishedRun}/answer`, 'POST', { questionId: newId('question'), answer: nul }],
    ['/api/account', 'PATCH', { name: nul }],
  ];
  for (const [path, method, json] of writes) {
    const answer = await workspace.ownerApi.send(path, { method, json });
    expect([path, answer.status < 500, answer.body]).toEqual([path, true, answer.body]);
  }
  for (const path of ['/runs', '/sessions', '/audit', '/documents']) {
    for (const name of ['q', 'type', 'preset', 'capability', 'cursor', 'run']) {
      const answer = await workspace.ownerApi.send(`${path}?${name}=a%00%ed%a0%80`);
      expect([path, name, answer.status < 500, answer.body]).toEqual([path, name, true, answer.body]);
    }
  }
});

test('a message of exactly the largest size is taken', async () => {
  const session = await workspace.api.createSession();
  const text = `echo ${'x'.repeat(64 * 1024 - 5)}`;
  const { runId } = await workspace.api.say(session.id, text);
  expect((await workspace.api.getEndedRun(runId)).message).toBe(text);
});
