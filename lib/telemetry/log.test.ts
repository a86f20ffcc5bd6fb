import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { captureLog } from '#lib/testing/captured-log.ts';
import { createLog, currentLogContext, logSessionMove, withLogContext, withOwnLogContext } from './log.ts';

/** What a log of its own writes. */
function aLog() {
  const lines: string[] = [];
  return { log: createLog({ write: (line) => void lines.push(line) }), lines };
}

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

describe('withOwnLogContext', () => {
  it('keeps nothing of the caller’s', () => {
    withLogContext({ traceId: 't', userId: 'user_of_another' }, () =>
      withOwnLogContext({ runId: 'run_1' }, () => expect(currentLogContext()).toEqual({ runId: 'run_1' })),
    );
  });
});

describe('a log line', () => {
  verifies('H-33', 'carries the session, the run, the span, the tool and the model of its work', () => {
    const { log, lines } = aLog();
    withLogContext({ traceId: 't', sessionId: 'session_1', runId: 'run_1', spanId: 's0' }, () => {
      log.info('begun');
      withLogContext({ spanId: 's1', toolName: 'math.calculate' }, () => log.info({ ms: 3 }, 'called'));
      withLogContext({ spanId: 's2', modelName: 'gpt' }, () => log.info('asked'));
    });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', msg: 'begun', traceId: 't', sessionId: 'session_1', runId: 'run_1', spanId: 's0' },
      { msg: 'called', ms: 3, sessionId: 'session_1', spanId: 's1', toolName: 'math.calculate' },
      { msg: 'asked', sessionId: 'session_1', spanId: 's2', modelName: 'gpt' },
    ]);
  });

  it('leaves nothing of itself to the next', () => {
    const { log, lines } = aLog();
    withLogContext({ runId: 'run_1' }, () => {
      log.info({ once: true }, 'first');
      log.info('second');
    });
    expect(JSON.parse(lines[1] ?? '')).not.toHaveProperty('once');
  });

  verifies('H-33', 'tells a move of a session, from where, to where, why, and what its run has used', () => {
    const captured = captureLog();
    logSessionMove({
      sessionId: 'session_1',
      runId: 'run_1',
      move: { from: 'EXECUTING', to: 'IDLE', reason: 'answered' },
      tokenUsage: { input: 120, output: 30 },
    });
    captured.stop();
    expect(captured.lines).toMatchObject([
      {
        event: 'session_state_changed',
        sessionId: 'session_1',
        runId: 'run_1',
        fromState: 'EXECUTING',
        toState: 'IDLE',
        reason: 'answered',
        tokenUsage: { input: 120, output: 30 },
      },
    ]);
  });

  const SECRET = 'Zx81-hunter2-Qq';
  const error = Object.assign(new Error(`POST https://ada:${SECRET}@db.example/x failed`), {
    requestHeaders: { Authorization: `Bearer ${SECRET}` },
    cause: Object.assign(new Error(`Bearer ${SECRET} was refused`), { apiKey: { value: SECRET } }),
  });
  const circle: { name: string; self?: unknown } = { name: 'round' };
  circle.self = circle;
  it.each([
    [
      'by name',
      {
        password: SECRET,
        clientSecret: SECRET,
        'x-api-key': SECRET,
        Access_Token: SECRET,
        'set-cookie': [SECRET],
        token: { value: SECRET },
      },
    ],
    ['deep down', { a: { b: { c: { d: { e: [{ authorization: { value: SECRET } }] } } } } }],
    ['in a map and in headers', { given: new Map([['apiKey', SECRET]]), headers: new Headers({ authorization: SECRET }) }],
    ['in an error and its cause', { err: error }],
    ['in an error under another name', { error }],
    ['in a text', { note: `the header was Bearer ${SECRET}, the key sk-${SECRET}00` }],
    [
      'in an address',
      { url: `postgresql://owner:${SECRET}@host:5432/db?sslmode=on`, callback: `https://x.example/?api_key=${SECRET}&a=1` },
    ],
    ['in JSON in a text', { body: JSON.stringify({ user: 'ada', password: SECRET, inner: JSON.stringify({ apiKey: SECRET }) }) }],
    ['in something that refers to itself', { circle, secret: SECRET }],
  ])('holds no secret %s, and all else', (_where, entry) => {
    const { log, lines } = aLog();
    log.info({ ...entry, kept: 'as it is' }, `tried with Bearer ${SECRET}`);
    withLogContext({ toolName: 'x' }, () => log.warn(entry, 'again'));
    for (const line of lines) expect(line).not.toContain(SECRET);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kept: 'as it is', msg: 'tried with Bearer [redacted]' });
  });

  it('keeps what only looks like one', () => {
    const { log, lines } = aLog();
    const entry = {
      tokenUsage: { input: 1, output: 2 },
      inputTokens: 3,
      keyHint: '…ab',
      idempotencyKey: 'run:1',
      note: 'Basic information',
      at: new Date(0),
    };
    log.info(entry, 'a token of thanks');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ...entry, at: '1970-01-01T00:00:00.000Z', msg: 'a token of thanks' });
  });
});
