import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { currentLogContext, withLogContext } from './log.ts';

describe('withLogContext', () => {
  it('follows the work over timers, and keeps 200 of them apart', async () => {
    const seen = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        withLogContext({ traceId: `trace-${index}`, tenantId: index % 2 ? 'a' : 'b' }, async () => {
          await sleep(Math.random() * 20);
          await new Promise((resolve) => setImmediate(resolve));
          return currentLogContext();
        }),
      ),
    );
    expect(seen).toEqual(seen.map((_, index) => ({ traceId: `trace-${index}`, tenantId: index % 2 ? 'a' : 'b' })));
    expect(currentLogContext()).toEqual({});
  });

  it('adds to the context it stands in', () => {
    withLogContext({ traceId: 't' }, () =>
      withLogContext({ runId: 'run_1' }, () => expect(currentLogContext()).toEqual({ traceId: 't', runId: 'run_1' })),
    );
  });
});
