import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

let lab: RunLab;
beforeAll(async () => {
  lab = await createRunLab();
});
afterAll(() => lab?.close());

const ask = (actor: Actor, label: string, options: { id?: string; key?: string } = {}) =>
  lab.callDirectly(actor, {
    capabilityId: options.id ?? 'test.effect-idempotent',
    arguments: { label },
    idempotencyKey: options.key,
    signal: AbortSignal.timeout(20_000),
  });
/** Everything here may be done without asking: what is under test is what happens then. */
async function anActor(): Promise<Actor> {
  const { actor } = await lab.aSession();
  for (const id of ['test.effect-idempotent', 'test.effect-once', 'test.effect-keyed'])
    await lab.owner`
      insert into approval_policy (tenant_id, capability_id, mode, needs_other, updated_by)
      values (${toUuid(actor.scope.tenantId)}, ${id}, 'never', false, ${toUuid(actor.scope.userId)})`;
  return actor;
}
const done = (label: string) => lab.effects.of(label);

describe('a call under a key of its caller', () => {
  verifies('H-17', 'is made once: asked for again, it is answered from what is kept', async () => {
    const actor = await anActor();
    const first = await ask(actor, 'once', { key: 'k1' });
    const again = await ask(actor, 'once', { key: 'k1' });
    expect([first.status, again.status]).toEqual(['succeeded', 'succeeded']);
    expect(again).toMatchObject({ output: { label: 'once' }, text: 'done: once' });
    expect(done('once')).toHaveLength(1);
    // On record like any call, and told apart.
    const rows =
      await lab.owner`select payload::jsonb as said from audit_event where tenant_id = ${toUuid(actor.scope.tenantId)} and type = 'capability.invoked' order by id`;
    expect(rows.map(({ said }) => said.details?.isKept ?? false)).toEqual([false, true]);
  });

  it('is made anew under another key, and without one', async () => {
    const actor = await anActor();
    for (const key of ['a', 'b', undefined, undefined]) await ask(actor, 'anew', key === undefined ? {} : { key });
    expect(done('anew')).toHaveLength(4);
  });

  it('is refused with other arguments, or for another capability', async () => {
    const actor = await anActor();
    await ask(actor, 'mine', { key: 'k' });
    const refused = { status: 'refused', code: 'idempotency_mismatch' };
    expect(await ask(actor, 'yours', { key: 'k' })).toMatchObject(refused);
    expect(await ask(actor, 'mine', { key: 'k', id: 'test.effect-once' })).toMatchObject(refused);
    expect(done('yours')).toHaveLength(0);
  });

  it('is another person’s and another workspace’s own', async () => {
    const [actor, stranger] = [await anActor(), await anActor()];
    const colleague = await lab.aColleague(actor);
    for (const who of [actor, colleague, stranger]) await ask(who, 'shared', { key: 'same' });
    expect(done('shared')).toHaveLength(3);
  });

  it('is not answered from what is kept to somebody who may not ask any more', async () => {
    const actor = await anActor();
    await ask(actor, 'secret', { key: 'k' });
    expect(await ask({ ...actor, permissions: new Set() }, 'secret', { key: 'k' })).toMatchObject({
      status: 'refused',
      code: 'permission_denied',
    });
  });

  it('that began and did not end is not made again, unless that does no harm', async () => {
    const actor = await anActor();
    for (const [id, label] of [
      ['test.effect-once', 'cut-once'],
      ['test.effect-keyed', 'cut-keyed'],
    ] as const) {
      await ask(actor, label, { key: label, id });
      // As a process leaves it that ends during the call.
      await lab.owner`update keyed_call set state = 'EXECUTING', result = null, invocation_id = ${toUuid(newId('invocation'))} where key = ${label}`;
    }
    expect(await ask(actor, 'cut-once', { key: 'cut-once', id: 'test.effect-once' })).toMatchObject({
      status: 'refused',
      code: 'conflict',
    });
    expect(await ask(actor, 'cut-keyed', { key: 'cut-keyed', id: 'test.effect-keyed' })).toMatchObject({ status: 'succeeded' });
    expect(done('cut-once')).toHaveLength(1);
    // Under the same key to what is called, too, which can tell that it is the same call.
    expect(new Set(done('cut-keyed').map(({ key }) => key))).toHaveLength(1);
  });

  it('is made once however many ask at the same moment', async () => {
    const actor = await anActor();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(actor, 'crowd', { key: 'crowd', id: 'test.effect-once' }).catch((error: Error) => error)),
    );
    expect(done('crowd')).toHaveLength(1);
    expect(answers.filter((answer) => 'status' in answer && answer.status === 'succeeded').length).toBeGreaterThan(0);
    await eventually(async () =>
      expect(await ask(actor, 'crowd', { key: 'crowd', id: 'test.effect-once' })).toMatchObject({ status: 'succeeded' }),
    );
    expect(done('crowd')).toHaveLength(1);
  });

  it('is forgotten after a day', async () => {
    const actor = await anActor();
    await ask(actor, 'old', { key: 'k' });
    await lab.owner`update keyed_call set began_at = now() - interval '25 hours' where tenant_id = ${toUuid(actor.scope.tenantId)}`;
    await ask(actor, 'old', { key: 'k' });
    await lab.owner`update keyed_call set began_at = now() - interval '25 hours' where tenant_id = ${toUuid(actor.scope.tenantId)}`;
    await ask(actor, 'new', { key: 'k2' });
    expect(done('old')).toHaveLength(2);
    const left = await lab.owner`select key from keyed_call where tenant_id = ${toUuid(actor.scope.tenantId)}`;
    expect(left.map(({ key }) => key)).toEqual(['k2']);
  });
});
