import { describe, expect, it } from 'vitest';
import { AppError, newId } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { BegunRuns } from './begun-runs.ts';
import type { RunGate, RunRecords, SubmitOutcome } from './ports.ts';
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
      return { status: 'submitted', runId: newId('run'), messageId: newId('message'), queuePlace: 0, begun: null };
    },
  };
  const dependencies = {
    gate: gate as RunGate,
    engine: { reserve: () => null, wake: () => undefined } as never,
    begun: new BegunRuns(),
    timeLimitMs: 1000,
    requireRoom: async () => undefined,
  };
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

const records = { nodes: new Map() } as unknown as RunRecords;

/** What becomes of the reservation when the gate answers so. */
async function submitWith(answer: Partial<SubmitOutcome> | AppError, begin: () => Promise<void> = async () => undefined) {
  const did: string[] = [];
  const note = (what: string) => () => void did.push(what);
  const begun = new BegunRuns();
  const reservation = {
    token: 'token',
    begin: () => {
      did.push('begin');
      return begin();
    },
    release: note('release'),
    doubt: note('doubt'),
  };
  const gate = {
    submit: async (run: { mayBegin: boolean }) => {
      if (run.mayBegin) did.push('asked to begin');
      if (answer instanceof AppError) throw answer;
      return { status: 'submitted', runId: newId('run'), messageId: newId('message'), queuePlace: 0, begun: null, ...answer };
    },
  } as unknown as RunGate;
  const engine = { reserve: () => reservation, wake: note('wake') } as never;
  await submitMessage({ gate, engine, begun, timeLimitMs: 1000, requireRoom: async () => undefined }, actor, {
    sessionId: newId('session'),
    text: 'hello',
  }).catch(() => undefined);
  return { did, begun };
}

describe('submitMessage where a place is free', () => {
  it('begins what the gate has begun, and hands its records to the drive once', async () => {
    const { did, begun } = await submitWith({ begun: records });
    expect(did).toEqual(['asked to begin', 'begin']);
    expect([begun.take('token'), begun.take('token')]).toEqual([records, null]);
  });

  it('gives the place back when the run has to wait, and when the message was refused', async () => {
    expect((await submitWith({ begun: null, queuePlace: 1 })).did).toEqual(['asked to begin', 'release', 'wake']);
    expect((await submitWith(new AppError({ code: 'session_closed', message: 'closed' }))).did).toEqual(['asked to begin', 'release']);
  });

  it('has it looked for when nobody knows whether it was committed', async () => {
    expect((await submitWith(new AppError({ code: 'unavailable', message: 'away' }))).did).toEqual(['asked to begin', 'doubt']);
  });

  it('keeps no records of a run that could not be begun here: it is read when it is found again', async () => {
    const { begun } = await submitWith({ begun: records }, () => Promise.reject(new Error('stopping')));
    expect(begun.take('token')).toBeNull();
  });
});
