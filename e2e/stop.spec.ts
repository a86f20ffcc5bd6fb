import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { transcriptView } from '#lib/conversations/contract.ts';
import { runState } from '#lib/supervisor/contract.ts';
import { listEffects } from './effects-server.ts';
import { expect } from './fixtures.ts';
import { expectRefusal, type TenantClient } from './tenant-client.ts';
import { verifies } from './verifies-in-browser.ts';
import { bearer } from './workspaces.ts';

const stopped = z.object({ state: runState });

/** Asks for a stop; gives what was answered and when that had come. */
async function stop(api: TenantClient, runId: string) {
  const answer = await api.send(`/runs/${runId}/cancel`, { method: 'POST' });
  expect(answer.status).toBe(202);
  return { state: stopped.parse(answer.body).state, at: new Date() };
}

verifies(
  'K4',
  'after a stop nothing starts, what streams is broken off, and a second stop does no harm',
  async ({ workspace: { api } }) => {
    const session = await api.createSession();
    const label = `stop-${session.id}`;
    const { runId } = await api.say(session.id, `stream chunks: 400 chunks, 20 ms; then keyed effect "${label}"`);
    const reader = await api.stream(runId);
    await reader.until(({ deltaCount }) => deltaCount > 2);
    const first = await stop(api, runId);
    const second = await stop(api, runId);
    expect(['RUNNING', 'CANCELLED']).toContain(second.state);

    // Eight seconds of text are left; a stop that only hides them would still be waiting.
    const events = await reader.toEnd(3_000);
    expect(events.at(-2)).toMatchObject({ type: 'supervisor_result', data: { terminal: 'CANCELLED' } });
    const run = await api.getRun(runId);
    expect(run.state).toBe('CANCELLED');
    expect(Date.parse(run.endedAt ?? '') - first.at.getTime()).toBeLessThan(2_000);
    expect(run.invocations.map(({ capabilityId, state }) => [capabilityId, state])).toEqual([['test.stream', 'FAILED']]);
    const log = await api.listEvents(runId);
    expect(log.filter(({ type, at }) => type === 'ToolInvocationRequested' && new Date(at) > first.at)).toEqual([]);
    expect(log.filter(({ type }) => type === 'RUN_CANCELLED')).toHaveLength(1);
    await sleep(500);
    expect(await listEffects(label)).toEqual([]);

    // What was said is kept, and says that it was stopped.
    const { messages, session: after } = await api.get(`/sessions/${session.id}`, transcriptView);
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', state: 'stopped', text: run.answer });
    expect(run.answer).toMatch(/^chunk-1 chunk-2 .*Stopped/s);
    expect(after.state).toBe('IDLE');
    expect((await api.ask(session.id, 'echo still here')).snapshot.echo).toBe('still here');
  },
);

verifies('K4', 'a stop between steps keeps what the first has done and starts no second', async ({ workspace: { api } }) => {
  const session = await api.createSession();
  const [before, after] = [`before-${session.id}`, `after-${session.id}`];
  const { runId } = await api.say(session.id, `keyed effect "${before}"; stream chunks: 100 chunks, 20 ms; idempotent effect "${after}"`);
  const reader = await api.stream(runId);
  await reader.until(({ text }) => text.includes('chunk-1 '));
  await stop(api, runId);
  await reader.toEnd(3_000);
  expect(await listEffects(before)).toEqual([expect.objectContaining({ runId })]);
  expect(await listEffects(after)).toEqual([]);
  const run = await api.getRun(runId);
  expect(run.state).toBe('CANCELLED');
  expect(run.answer).toContain(`done: ${before}`);
});

verifies('K4', 'a run that waits its turn is stopped at once, and the one before it goes on', async ({ workspace: { api } }) => {
  const session = await api.createSession();
  const label = `queued-${session.id}`;
  const first = await api.say(session.id, 'stream chunks: 40 chunks, 25 ms');
  const queued = await api.say(session.id, `keyed effect "${label}"`);
  expect(queued.queuePlace).toBeGreaterThan(0);
  expect((await stop(api, queued.runId)).state).toBe('CANCELLED');
  expect((await api.getRun(queued.runId)).state).toBe('CANCELLED');
  expect((await stop(api, queued.runId)).state).toBe('CANCELLED');
  expect(await api.getEndedRun(first.runId)).toMatchObject({ state: 'FINISH_OK' });
  await sleep(300);
  expect(await listEffects(label)).toEqual([]);
  expect((await api.getRun(queued.runId)).invocations).toEqual([]);
});

verifies(['K4', 'P-18'], 'a run that has ended stays as it ended, and only its own person stops a run', async ({ workspace }) => {
  const { api } = workspace;
  const session = await api.createSession();
  const { snapshot } = await api.ask(session.id, 'echo done');
  expect((await stop(api, snapshot.runId)).state).toBe('FINISH_OK');
  expect((await api.getRun(snapshot.runId)).state).toBe('FINISH_OK');

  const { runId } = await api.say(session.id, 'stream chunks: 30 chunks, 20 ms');
  const member = await workspace.apiOf(await workspace.addPerson('member'));
  const admin = await workspace.apiOf(await workspace.addPerson('admin'));
  const reading = api.with({ identity: bearer((await workspace.createKey(['run:read'])).key) });
  for (const other of [member, admin]) expectRefusal(await other.send(`/runs/${runId}/cancel`, { method: 'POST' }), 404, 'not_found');
  expectRefusal(await reading.send(`/runs/${runId}/cancel`, { method: 'POST' }), 403, 'permission_denied');
  expect(await api.getEndedRun(runId)).toMatchObject({ state: 'FINISH_OK' });
});
