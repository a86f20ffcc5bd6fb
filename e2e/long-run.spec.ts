import type { Page } from '@playwright/test';
import type postgres from 'postgres';
import { untilAlive } from './chat-page.ts';
import { test as base, expect } from './fixtures.ts';
import { uuidOf } from './owner-database.ts';
import { createWorkspace, type Workspace } from './workspaces.ts';

const CALLS = 2_000;
/** The one call that failed, far down. */
const FAILED = 1_900;

/** A workspace with a run of two thousand calls and ten thousand entries of its log, which no planner would make. */
const test = base.extend<object, { long: Workspace & { readonly runId: string } }>({
  long: [
    async ({ origin, database }, use) => {
      const workspace = await createWorkspace(origin, 'A Long Run');
      const { api } = workspace;
      const { snapshot } = await api.ask((await api.createSession()).id, 'echo "the long one"');
      await lengthen(database, uuidOf('run', snapshot.runId));
      await use({ ...workspace, runId: snapshot.runId });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});
test.beforeEach(async ({ openAs, long }) => openAs(long.ownerApi));

test('of a run with two thousand calls only what is in view is on the page, and every view reaches its end', async ({ page, long }) => {
  const base = `/${long.slug}/runs/${long.runId}`;
  const startedAt = performance.now();
  await page.goto(base);
  const rows = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  await expect(rows.first()).toBeVisible();
  note(`first rows after ${Math.round(performance.now() - startedAt)} ms`);
  await untilAlive(rows.first().getByRole('button'));
  expect(await rows.count()).toBeLessThan(60);
  note(`timeline scrolled: ${await scrolled(page, '[data-scrolls] > :last-child')}`);
  await expect(rows.last()).toHaveAttribute('aria-posinset', String(await rows.last().getAttribute('aria-setsize')));
  expect(await rows.count()).toBeLessThan(60);

  // F finds the failure among them all, and brings it into view; + and 0 change the scale.
  await page.keyboard.press('f');
  await expect(page).toHaveURL(/span=inv_/);
  await expect(rows.getByRole('button', { pressed: true })).toContainText('failed');
  const zoomedAt = performance.now();
  for (const key of ['+', '+', '+', '0']) await page.keyboard.press(key);
  note(`four changes of the scale in ${Math.round(performance.now() - zoomedAt)} ms`);
  await expect(rows.getByRole('button', { pressed: true })).toBeInViewport();

  await page.keyboard.press('2');
  const tree = page.getByRole('treegrid');
  await expect(tree.getByRole('row').nth(1)).toBeVisible();
  expect(await tree.getByRole('row').count()).toBeLessThan(60);
  note(`tree scrolled: ${await scrolled(page, '[data-scrolls] > :last-child')}`);
  await page.keyboard.press('4');
  const states = page.getByRole('table').getByRole('row');
  await expect(states.nth(1)).toBeVisible();
  expect(await states.count()).toBeLessThan(80);
  note(`states scrolled: ${await scrolled(page, '[data-scrolls] > section')}`);
});

test('its log is read a part at a time', async ({ page, long }) => {
  await page.goto(`/${long.slug}/runs/${long.runId}?view=events`);
  const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await expect(events.first()).toBeVisible();
  expect(await events.count()).toBeLessThan(60);
  const more = page.getByRole('button', { name: /^Read on/ });
  await untilAlive(more);
  await more.click();
  await expect(more).toHaveText(/1,000/);
});

function note(description: string): void {
  test.info().annotations.push({ type: 'measured', description });
}

/** Scrolls to the end in sixty steps, one a frame; tells how long its frames took. */
async function scrolled(page: Page, selector: string): Promise<string> {
  const frames = await page.locator(selector).evaluate(async (node) => {
    const taken: number[] = [];
    let before = 0;
    for (let step = 0; step <= 60; step += 1) {
      node.scrollTop = ((node.scrollHeight - node.clientHeight) * step) / 60;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      if (step > 0) taken.push(now - before);
      before = now;
    }
    node.scrollTop = node.scrollHeight;
    return taken.toSorted((a, b) => a - b);
  });
  const at = (share: number) => (frames[Math.floor(frames.length * share)] ?? 0).toFixed(0);
  return `frames p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.999)} ms`;
}

/** Puts calls, their moves and log entries behind those that a run has. */
async function lengthen(database: postgres.Sql, run: string): Promise<void> {
  await database.unsafe(`
    create temp table added as
      select n, gen_random_uuid() as id, r.tenant_id, r.created_at + n * interval '20 milliseconds' as at
      from run r, generate_series(1, ${CALLS}) as n where r.id = '${run}';
    insert into invocation (tenant_id, id, run_id, path, step, capability_id, capability_version, state, attempt, arguments, arguments_hash, idempotency_key, result, error_code, error_message, requested_at, finished_at)
      select tenant_id, id, '${run}', 'deterministic_pipeline/' || (n + 10), n + 10, case when n % 3 = 0 then 'echo' else 'time.now' end, '1',
        case when n = ${FAILED} then 'FAILED' else 'SUCCEEDED' end, 1, '{"text": "added"}', 'x', 'x' || n,
        case when n = ${FAILED} then null else '{"output": {"text": "added"}, "text": "added"}'::jsonb end,
        case when n = ${FAILED} then 'unavailable' end, case when n = ${FAILED} then 'the far end was away' end, at, at + interval '15 milliseconds' from added;
    insert into invocation_transition (tenant_id, invocation_id, seq, from_state, to_state, attempt, reason, at)
      select tenant_id, id, s, (array[null, 'REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING'])[s],
        (array['REQUESTED', 'ARGUMENTS_VALIDATED', 'EXECUTING', case when n = ${FAILED} then 'FAILED' else 'SUCCEEDED' end])[s], 1, 'added', at + s * interval '2 milliseconds'
      from added, generate_series(1, 4) as s;
    insert into run_event (tenant_id, run_id, seq, type, at, payload)
      select a.tenant_id, '${run}', r.event_seq + (n - 1) * 5 + s, 'invocation-state', at, jsonb_build_object('invocationId', 'inv', 'to', 'EXECUTING', 'attempt', 1)
      from added a join run r on r.id = '${run}', generate_series(1, 5) as s;
    update run set event_seq = event_seq + ${CALLS * 5}, step_count = ${CALLS}, calls_succeeded = ${CALLS - 1}, calls_failed = 1,
      ended_at = created_at + interval '41 seconds' where id = '${run}';
    drop table added`);
}
