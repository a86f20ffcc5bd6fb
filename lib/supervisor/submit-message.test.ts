import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { RunGate } from './ports.ts';
import { type SubmitRequest, submitMessage } from './submit-message.ts';

const actor: Actor = {
  kind: 'user',
  scope: { tenantId: newId('tenant'), userId: newId('user') },
  displayName: 'Ada',
  email: 'ada@example.com',
  roleKey: 'member',
  roleName: 'Member',
  permissions: new Set(),
  locale: null,
  timeZone: 'UTC',
};

/** Hands a request in at a gate that notes what reaches it. */
async function submit(request: Omit<SubmitRequest, 'sessionId'>) {
  const reached: (string | null)[] = [];
  const gate: Pick<RunGate, 'submit'> = {
    submit: async (run) => {
      reached.push(run.idempotencyKey);
      return { status: 'submitted', runId: newId('run'), messageId: newId('message'), queuePlace: 0 };
    },
  };
  const dependencies = { gate: gate as RunGate, engine: { wake: () => undefined } as never, timeLimitMs: 1000 };
  const refusal = await submitMessage(dependencies, actor, { sessionId: newId('session'), ...request }).then(
    () => null,
    (error: unknown) => error,
  );
  return { reached, refusal };
}

describe('submitMessage', () => {
  it('refuses an idempotency key that the index could not hold', async () => {
    const { reached, refusal } = await submit({ text: 'hello', idempotencyKey: 'k'.repeat(201) });
    expect(refusal).toMatchObject({ code: 'invalid_request', details: { path: 'Idempotency-Key' } });
    expect(reached).toEqual([]);
  });

  it('takes a key of 200 characters, and a message without one', async () => {
    expect((await submit({ text: 'hello', idempotencyKey: 'k'.repeat(200) })).reached).toEqual(['k'.repeat(200)]);
    expect((await submit({ text: 'hello' })).reached).toEqual([null]);
  });

  it('refuses a time zone that does not exist', async () => {
    const { reached, refusal } = await submit({ text: 'hello', timeZone: 'Mars/Olympus' });
    expect(refusal).toMatchObject({ code: 'invalid_request', details: { path: 'timeZone' } });
    expect(reached).toEqual([]);
  });
});
