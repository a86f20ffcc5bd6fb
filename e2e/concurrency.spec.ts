import { z } from 'zod';
import { transcriptView } from '#lib/conversations/contract.ts';
import { listEffects } from './effects-server.ts';
import { upTo } from './event-stream-reader.ts';
import { expect, test } from './fixtures.ts';
import { uuidOf } from './owner-database.ts';
import { newDatabaseName, prepareDatabase, startInstance } from './product-instance.ts';
import { expectRefusal } from './tenant-client.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace, foundFirstWorkspace } from './workspaces.ts';

const accepted = z.object({ runId: z.string(), messageId: z.string() });

verifies(
  'K30',
  'the same message sent at once over many sockets is one message, one run, one effect',
  async ({ workspace: { api }, database }) => {
    const session = await api.createSession();
    const label = `twin-${session.id}`;
    const send = (text: string) =>
      api.send(`/sessions/${session.id}/messages`, { json: { text }, headers: { 'idempotency-key': 'the-same' } });
    const answers = await Promise.all(upTo(8).map(() => send(`keyed effect "${label}"`)));
    expect(answers.map(({ status }) => status)).toEqual(upTo(8).map(() => 202));
    const accounts = answers.map(({ body }) => accepted.parse(body));
    expect(new Set(accounts.map(({ runId }) => runId)).size).toBe(1);
    expect(new Set(accounts.map(({ messageId }) => messageId)).size).toBe(1);
    const runId = accounts[0]?.runId ?? '';
    await api.getEndedRun(runId);
    // A retry after the answer was lost, and the same key for something else.
    expect(accepted.parse((await send(`keyed effect "${label}"`)).body).runId).toBe(runId);
    expectRefusal(await send('something else'), 409, 'idempotency_mismatch');
    expect(await listEffects(label)).toHaveLength(1);
    const { messages } = await api.get(`/sessions/${session.id}`, transcriptView);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    const [rows] = await database`select count(*)::int as runs from run where session_id = ${uuidOf('session', session.id)}`;
    expect(rows?.runs).toBe(1);
  },
);

verifies(
  ['K30', 'P-09'],
  'different messages to one session are answered one after the other, in one line',
  async ({ workspace: { api }, database }) => {
    const session = await api.createSession();
    const sent = await Promise.all(upTo(5).map((number) => api.say(session.id, `stream chunks: ${number + 20} chunks, 15 ms`)));
    const runs = await Promise.all(sent.map(({ runId }) => api.getEndedRun(runId)));
    expect(runs.map(({ state }) => state)).toEqual(upTo(5).map(() => 'FINISH_OK'));
    const inOrder = runs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(sent.map(({ queuePlace }) => queuePlace).toSorted((a, b) => a - b)).toEqual(upTo(5).map((place) => place - 1));
    for (const [index, run] of inOrder.slice(1).entries()) {
      expect(Date.parse(run.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(inOrder[index]?.endedAt ?? ''));
    }
    const turns = await database`
    select turn_seq, run_id from agent_conversation_message where session_id = ${uuidOf('session', session.id)} and role = 'USER' order by turn_seq`;
    expect(turns.map((turn) => [turn.turn_seq, turn.run_id])).toEqual(inOrder.map(({ id }, index) => [index + 1, uuidOf('run', id)]));
    const { messages } = await api.get(`/sessions/${session.id}`, transcriptView);
    expect(messages.filter(({ role }) => role === 'user').map(({ runId }) => runId)).toEqual(inOrder.map(({ id }) => id));
    for (const run of inOrder) expect(messages.find(({ role, runId }) => role === 'assistant' && runId === run.id)?.text).toBe(run.answer);
  },
);

verifies(['K16', 'P-11'], 'two hundred runs of two tenants at once keep to themselves', async ({ origin, database }) => {
  test.setTimeout(90_000);
  const tenants = [await createWorkspace(origin, 'Left Bank'), await createWorkspace(origin, 'Right Bank')];
  const one = async (workspace: (typeof tenants)[number], number: number) => {
    const { api, slug } = workspace;
    const label = `${slug}-${number}`;
    const session = await api.createSession();
    const result = await api.ask(session.id, `stream chunks: ${(number % 4) + 2} chunks, ${number % 7} ms; keyed effect "${label}"`);
    return { api, slug, label, session, result };
  };
  const runs = (await Promise.all(upTo(100).map((number) => Promise.all(tenants.map((workspace) => one(workspace, number)))))).flat();
  for (const { label, session, result } of runs) {
    expect(result).toMatchObject({ terminal: 'FINISH_OK', sessionId: session.id });
    expect(result.snapshot.echo).toContain(`done: ${label}`);
    expect(result.snapshot.echo.match(/done:/g)).toHaveLength(1);
  }
  const counted = await Promise.all(runs.map(async ({ label, result }) => [result.snapshot.runId, await listEffects(label)] as const));
  expect(counted.filter(([runId, effects]) => effects.length !== 1 || effects[0]?.runId !== runId)).toEqual([]);

  const [left, right] = tenants;
  const oneOfLeft = runs.find(({ slug }) => slug === left?.slug);
  const asRight = right?.api.send(`/runs/${oneOfLeft?.result.snapshot.runId}`);
  if (asRight) expectRefusal(await asRight, 404, 'not_found');
  // Each row beneath a run belongs to the tenant of that run.
  for (const table of ['run_event', 'invocation', 'message', 'audit_event']) {
    const [row] = await database`
      select count(*)::int as strays from ${database(table)} child join run on run.id = child.run_id where run.tenant_id <> child.tenant_id`;
    expect([table, row?.strays]).toEqual([table, 0]);
  }
  for (const { slug, api } of tenants) {
    const audit = JSON.stringify((await api.send('/audit?limit=200')).body);
    expect(audit).not.toContain(tenants.find((other) => other.slug !== slug)?.slug);
  }
});

verifies('K30', 'a question decided twice at once has one decision, and the effect happens as that one says', async () => {
  test.setTimeout(90_000);
  const name = newDatabaseName('question');
  await prepareDatabase(name);
  // Dies after an effect that cannot be repeated, before that was written down.
  const first = await startInstance(name, { FAULT_POINT: 'invocation.effect-done:1' });
  const workspace = await foundFirstWorkspace(first.origin);
  const session = await workspace.api.createSession();
  const label = `once-${session.id}`;
  const { runId } = await workspace.api.say(session.id, `once effect "${label}"; then echo "goes on"`);
  await first.ended;
  const second = await startInstance(name);
  try {
    const api = workspace.api.with({ origin: second.origin });
    await expect.poll(async () => (await api.getRun(runId)).state, { timeout: 20_000 }).toBe('WAITING');
    const { question } = await api.getRun(runId);
    expect(question).toMatchObject({ kind: 'unknown-outcome', state: 'OPEN' });
    expect(question?.options.length).toBeGreaterThan(1);
    const decisions = (question?.options ?? []).flatMap(({ value }) => [value, value]);
    const answers = await Promise.all(
      decisions.map((answer) => api.send(`/runs/${runId}/answer`, { json: { questionId: question?.id, answer } })),
    );
    const winners = answers.filter(({ status }) => status === 202);
    expect(winners).toHaveLength(1);
    for (const loser of answers.filter(({ status }) => status !== 202)) expectRefusal(loser, 409, 'already_decided');
    const winning = decisions[answers.findIndex(({ status }) => status === 202)];
    const run = await api.getEndedRun(runId);
    expect(run.question).toMatchObject({ state: 'ANSWERED', answer: winning });
    const log = await api.listEvents(runId);
    expect(log.filter(({ type }) => type === 'question-answered')).toHaveLength(1);
    expect(await listEffects(label)).toHaveLength(winning === 'run-again' ? 2 : 1);
    expectRefusal(await api.send(`/runs/${runId}/answer`, { json: { questionId: question?.id, answer: winning } }), 409, 'already_decided');
  } finally {
    await second.stop();
  }
});
