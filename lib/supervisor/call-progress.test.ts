import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { verifies } from '#e2e/verifies.ts';
import { newId } from '#lib/kernel/index.ts';
import { CallProgressLog } from './call-progress.ts';
import type { Boundary } from './domain/boundary.ts';

const invocationId = newId('invocation');
const told = (progress: number, message: string | null = null, total: number | null = 100) => ({ invocationId, progress, total, message });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lab() {
  const events: NonNullable<Boundary['events']>[number][] = [];
  const log = new CallProgressLog({
    writer: { post: (boundary) => void events.push(...(boundary.events ?? [])) },
    clock: { now: () => new Date(Date.now()) },
  });
  return { log, events, seen: () => events.map(({ payload }) => payload.progress) };
}

describe('CallProgressLog', () => {
  verifies('K11', 'lets the first word go at once, then the newest twice a second', () => {
    const { log, seen } = lab();
    for (let step = 1; step <= 120; step += 1) {
      log.push(told(step));
      vi.advanceTimersByTime(10);
    }
    expect(seen()).toEqual([1, 50, 100]);
    vi.advanceTimersByTime(10_000);
    expect(seen()).toEqual([1, 50, 100, 120]);
  });

  it('has room for an hour, and then some, of a tool that never stops telling', () => {
    const { log, events } = lab();
    for (let step = 0; step < 36_000; step += 1) {
      log.push(told(step));
      vi.advanceTimersByTime(100);
    }
    expect(events.length).toBeGreaterThan(200);
    expect(events.length).toBeLessThan(400);
    expect(events.at(-1)?.payload.progress).toBeGreaterThan(35_000);
  });

  it('keeps one short line of what another says, and no figure that is none', () => {
    const { log, events } = lab();
    log.push(told(Number.NaN));
    log.push(told(1, `a\u001b[31m\n\n${'字'.repeat(5_000)}`, 0));
    const message = z.string().parse(events[0]?.payload.message);
    expect(events).toHaveLength(1);
    expect(events[0]?.payload).toMatchObject({ progress: 1, total: null });
    expect([...message]).toHaveLength(200);
    expect(message).toMatch(/^a \[31m 字/);
  });

  it('says nothing after the call has ended', () => {
    const { log, seen } = lab();
    log.push(told(1));
    log.push(told(2));
    log.close();
    vi.advanceTimersByTime(10_000);
    log.push(told(3));
    expect(seen()).toEqual([1]);
  });
});
