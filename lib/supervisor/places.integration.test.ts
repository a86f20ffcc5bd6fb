import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import type { Id } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

const PLACES = 3;
let lab: RunLab;
let runs: RunLab['runs'];
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 60_000, places: PLACES });
  runs = lab.runs;
});
afterAll(() => lab?.close());

/** A run whose call is held until its label is released. */
async function begin(label: string, of?: Actor) {
  const { actor, sessionId } = await lab.aSession('default', of);
  lab.effects.hold(label);
  const { runId } = await runs.submitMessage(actor, { sessionId, text: `test.effect-read ${label}` });
  return { label, actor, runId };
}

const atWork = (labels: readonly string[]) => labels.filter((label) => lab.effects.of(label).length > 0);
const placeOf = async ({ actor, runId }: { actor: Actor; runId: Id<'run'> }) => (await runs.readQueuePlace(actor, runId)).place;

async function toEnd({ actor, runId }: { actor: Actor; runId: Id<'run'> }) {
  await lab.readAll(actor, runId);
  return (await runs.getRun(actor, runId)).state;
}

describe('the places of a deployment', () => {
  verifies(
    'H-25',
    'let so many sessions work as are configured; the others wait, each tenant in its turn',
    async () => {
      const { actor: flooding } = await lab.aSession();
      const flood = await Promise.all(Array.from({ length: 9 }, (_, index) => begin(`flood ${index}`, flooding)));
      const labels = flood.map(({ label }) => label);
      await eventually(() => atWork(labels).length === PLACES);
      // Longer than the engine's own look at its queue.
      await sleep(1_500);
      expect(atWork(labels)).toHaveLength(PLACES);
      const late = await begin('of another tenant');
      expect(await eventually(() => placeOf(late))).toBe(1);
      const places = await Promise.all(flood.map(placeOf));
      expect(places.filter((place) => place !== null).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7]);
      const line = await runs.readLine();
      expect(line).toMatchObject({ limit: PLACES, active: PLACES });
      expect(line.waiting).toHaveLength(7);

      const first = atWork(labels)[0] ?? '';
      lab.effects.release(first);
      // The flood came before it, and has more than its share.
      await eventually(() => lab.effects.of(late.label).length > 0);
      expect(atWork(labels)).toHaveLength(PLACES);
      await eventually(async () => (await placeOf(late)) === null);
      for (const label of [late.label, ...labels.filter((held) => held !== first)]) lab.effects.release(label);
      expect(await Promise.all([late, ...flood].map(toEnd))).toEqual(Array.from({ length: 10 }, () => 'FINISH_OK'));
    },
    60_000,
  );

  verifies(
    ['H-25', 'H-26'],
    'are not held by sessions that wait for people',
    async () => {
      const waiting = await Promise.all(
        Array.from({ length: 2 * PLACES + 1 }, async (_, index) => {
          const { actor, sessionId } = await lab.aSession();
          const { runId } = await runs.submitMessage(actor, { sessionId, text: `test.effect-destructive wait ${index}` });
          return { actor, runId };
        }),
      );
      const stateOf = async ({ actor, runId }: (typeof waiting)[number]) => (await runs.getRun(actor, runId)).state;
      await eventually(async () => (await Promise.all(waiting.map(stateOf))).every((state) => state === 'WAITING'));
      await eventually(async () => (await runs.readLine()).active === 0);
      expect(runs.countActiveSegments()).toBe(0);
      const { actor, sessionId } = await lab.aSession();
      const { runId } = await runs.submitMessage(actor, { sessionId, text: 'test.effect-read beside them' });
      expect(await toEnd({ actor, runId })).toBe('FINISH_OK');
      // A transaction that stays open holds its connection; those who wait have none.
      const held = await lab.owner`
      select state from pg_stat_activity
      where datname = current_database() and usename is not null and state like 'idle in transaction%' and now() - state_change > interval '200 ms'`;
      expect([...held]).toEqual([]);
      expect((await Promise.all(waiting.map(stateOf))).every((state) => state === 'WAITING')).toBe(true);
    },
    60_000,
  );
});
