import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { type Id, isAppError, storableJson, toUuid } from '#lib/kernel/index.ts';
import type { RunEventEntry, RunKey } from '#lib/supervisor/index.ts';
import { inOneRoundTrip } from '../pipelined.ts';
import { RUN_CHANNEL, type RunEventBus } from './run-event-bus.ts';

/** Runs in one statement; what is beyond them leaves with the next. */
const GROUP_LIMIT = 100;
/** A tenant's groups leave at least this far apart, however fast the database answers: many that speak at once cost no more. */
const GROUP_EVERY_MS = 20;

interface Entry {
  readonly key: RunKey;
  readonly events: readonly RunEventEntry[];
  readonly settle: PromiseWithResolvers<number | null>;
}

/**
 * Events of runs and nothing else, such as text while it flows. Those of one tenant that come while its last group is on its
 * way, or has only just left, leave together, in one statement and one commit; one that comes alone leaves at once.
 */
export interface RunEventGroups {
  /** The sequence number of the first event; null when the fence refused them. */
  append(key: RunKey, events: readonly RunEventEntry[]): Promise<number | null>;
}

export function createRunEventGroups(options: { sql: Sql; bus: RunEventBus; everyMs?: number }): RunEventGroups {
  const { sql, bus, everyMs = GROUP_EVERY_MS } = options;
  /** A tenant is here while a group of it is on its way or has only just left. */
  const waiting = new Map<Id<'tenant'>, Entry[]>();

  async function sendAll(tenantId: Id<'tenant'>): Promise<void> {
    for (let group = takeGroup(tenantId); group.length > 0; group = takeGroup(tenantId)) {
      const leftAt = performance.now();
      await send(tenantId, group);
      await sleep(everyMs - (performance.now() - leftAt));
    }
    waiting.delete(tenantId);
  }

  function takeGroup(tenantId: Id<'tenant'>): Entry[] {
    const group = waiting.get(tenantId)?.splice(0, GROUP_LIMIT) ?? [];
    // One order for all who lock several runs.
    return group.sort((a, b) => (a.key.runId < b.key.runId ? -1 : 1));
  }

  async function send(tenantId: Id<'tenant'>, group: readonly Entry[]): Promise<void> {
    try {
      const first = await write(tenantId, group);
      for (const { key, settle } of group) settle.resolve(first.get(fenceOf(key)) ?? null);
    } catch (error) {
      // Nothing of it was written, unless the database is away: then nobody knows. One run's fault must not be another's.
      if (group.length > 1 && !(isAppError(error) && error.code === 'unavailable'))
        for (const entry of group) await send(tenantId, [entry]);
      else for (const { settle } of group) settle.reject(error);
    }
  }

  async function write(tenantId: Id<'tenant'>, group: readonly Entry[]): Promise<Map<string, number>> {
    const tenant = toUuid(tenantId);
    const document = JSON.stringify(
      group.map(({ key, events }) => ({
        run: toUuid(key.runId),
        epoch: key.epoch,
        notice: bus.noticeOf(key.runId),
        events: storableJson(events.map(({ type, at, payload }) => ({ type, at, payload }))),
      })),
    );
    const [rows] = await inOneRoundTrip(sql, { tenantId }, (tx) => [
      tx`
        with given as (
          select g.run, g.epoch, g.notice, g.events, jsonb_array_length(g.events) as count
          from jsonb_to_recordset(${document}::text::jsonb) as g(run uuid, epoch int, notice text, events jsonb)
        ),
        fenced as (
          update run r set event_seq = r.event_seq + g.count from given g
          where r.tenant_id = ${tenant} and r.id = g.run and r.epoch = g.epoch and r.state in ('QUEUED', 'RUNNING', 'WAITING')
          returning r.id, r.epoch, r.event_seq - g.count as base, g.notice, g.events
        ),
        added as (
          insert into run_event (tenant_id, run_id, seq, type, at, payload)
          select ${tenant}, f.id, f.base + e.ord, e.item->>'type', (e.item->>'at')::timestamptz, e.item->'payload'
          from fenced f, jsonb_array_elements(f.events) with ordinality as e(item, ord)
        )
        select id, epoch, base + 1 as first_seq, pg_notify(${RUN_CHANNEL}, notice) from fenced`,
    ]);
    return new Map(rows.map((row) => [`${row.id} ${row.epoch}`, Number(row.first_seq)]));
  }

  return {
    append(key, events) {
      const settle = Promise.withResolvers<number | null>();
      const entry = { key, events, settle };
      const others = waiting.get(key.tenantId);
      if (others) others.push(entry);
      else {
        waiting.set(key.tenantId, [entry]);
        // Never rejects: each entry is told.
        void sendAll(key.tenantId);
      }
      return settle.promise;
    },
  };
}

function fenceOf(key: RunKey): string {
  return `${toUuid(key.runId)} ${key.epoch}`;
}
