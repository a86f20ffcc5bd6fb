import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import type { AuditEntry } from '#lib/audit/index.ts';
import { AppError, type JsonObject, newId, systemClock } from '#lib/kernel/index.ts';
import type { Actor, Permission } from '#lib/tenancy/index.ts';
import { createAjvArgumentValidator } from './adapters/ajv-argument-validator.ts';
import type { Capability, CapabilityMetadata } from './domain/capability.ts';
import type { InvocationRecord } from './domain/invocation.ts';
import type { InvocationRequest } from './invocation-request.ts';
import { createInvoker } from './invoker.ts';
import type { InvocationLedger, LedgerEntry } from './ports.ts';
import { createCapabilityRegistry } from './registry.ts';

const tenantId = newId('tenant');

function metadata(overrides: Partial<CapabilityMetadata> = {}): CapabilityMetadata {
  return {
    id: 'note.write',
    version: '1.0.0',
    status: 'active',
    domain: 'note',
    title: { en: 'Write', 'zh-CN': '写' },
    description: { en: 'Writes.', 'zh-CN': '写。' },
    keywords: [],
    examples: [],
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
    requiredPermissions: ['memory:write'],
    sideEffect: 'write',
    idempotency: 'none',
    timeoutMs: 1_000,
    ...overrides,
  };
}

function actor(permissions: Permission[] = ['memory:write']): Actor {
  return {
    kind: 'user',
    scope: { tenantId, userId: newId('user') },
    displayName: 'Ada',
    email: 'ada@example.com',
    roleKey: 'member',
    roleName: 'Member',
    permissions: new Set(permissions),
    locale: null,
    timeZone: 'UTC',
  };
}

/** An invoker over one capability, with a ledger and a platform log that keep what they are given. */
function lab(capability: Capability | null) {
  const entries: LedgerEntry[] = [];
  const platformLog: AuditEntry[] = [];
  const order: string[] = [];
  const ledger: InvocationLedger = {
    commit: async (entry) => {
      order.push(`commit ${entry.invocation.state}`);
      entries.push(entry);
    },
    defer: (entry) => {
      entries.push(entry);
    },
  };
  const registry = createCapabilityRegistry();
  if (capability) {
    const handler = capability.handler;
    registry.register({
      ...capability,
      ...(handler && {
        handler: async (args, call) => {
          order.push('run');
          return handler(args, call);
        },
      }),
    });
  }
  const invoker = createInvoker({
    registry,
    validator: createAjvArgumentValidator(),
    platformAudit: { record: async (entry) => void platformLog.push(entry) },
    clock: systemClock,
    maxCallsPerRun: 3,
  });
  const invoke = (overrides: Partial<InvocationRequest> = {}) =>
    invoker.invoke({
      actor: actor(),
      capabilityId: 'note.write',
      arguments: { text: 'hello' },
      runId: newId('run'),
      path: 'p/0',
      step: 0,
      callsSoFar: 0,
      ledger,
      locale: 'en',
      timeZone: 'UTC',
      signal: new AbortController().signal,
      ...overrides,
    });
  const audited = () =>
    entries.flatMap((entry) => entry.audit).map(({ type, actor: by, target, details }) => ({ type, by, target, reason: details?.reason }));
  return { invoke, entries, audited, platformLog, order };
}

const works: Capability = {
  metadata: metadata(),
  handler: async ({ text }) => ({ output: { text: text ?? null }, text: `wrote ${typeof text === 'string' ? text : ''}` }),
};

describe('createInvoker', () => {
  verifies(['P-15', 'P-16'], 'runs a capability with its permission, on record before it acts and after', async () => {
    const { invoke, entries, audited, order } = lab(works);
    const outcome = await invoke();
    expect(outcome).toMatchObject({ status: 'succeeded', output: { text: 'hello' }, text: 'wrote hello' });
    expect(order).toEqual(['commit EXECUTING', 'run', 'commit SUCCEEDED']);
    expect(audited().map((row) => row.type)).toEqual(['capability.invoked', 'capability.succeeded']);
    expect(entries.flatMap((entry) => entry.transitions).map((move) => [move.seq, move.from, move.to])).toEqual([
      [1, null, 'REQUESTED'],
      [2, 'REQUESTED', 'ARGUMENTS_VALIDATED'],
      [3, 'ARGUMENTS_VALIDATED', 'EXECUTING'],
      [4, 'EXECUTING', 'SUCCEEDED'],
    ]);
  });

  verifies('P-16', 'refuses and records an unknown capability, own properties only', async () => {
    for (const capabilityId of ['no.such', '__proto__', 'constructor', 'toString']) {
      const { invoke, audited } = lab(works);
      const outcome = await invoke({ capabilityId });
      expect(outcome).toMatchObject({ status: 'refused', code: 'unknown_capability', message: `unknown capability: ${capabilityId}` });
      expect(audited()).toMatchObject([{ type: 'capability.unknown', reason: `unknown capability: ${capabilityId}` }]);
    }
  });

  verifies('P-16', 'refuses and records a call without the permission, naming who and why, before arguments are looked at', async () => {
    const { invoke, audited, order } = lab(works);
    const who = actor(['memory:read']);
    const outcome = await invoke({ actor: who, arguments: { wrong: true } });
    expect(outcome).toMatchObject({ status: 'refused', code: 'permission_denied' });
    expect(audited()).toEqual([
      {
        type: 'capability.denied',
        by: { kind: 'user', id: who.scope.userId },
        target: { kind: 'capability', id: 'note.write' },
        reason: 'permission denied: note.write needs memory:write',
      },
    ]);
    expect(order).toEqual(['commit FAILED']);
  });

  verifies('P-16', 'puts a call without a tenant on the platform’s log', async () => {
    const { invoke, platformLog, order } = lab(works);
    expect(await invoke({ actor: null })).toMatchObject({ status: 'refused', message: 'tenant context missing' });
    expect(platformLog).toMatchObject([
      { type: 'capability.denied', actor: { kind: 'unknown', id: 'unknown' }, target: { id: 'note.write' } },
    ]);
    expect(order).toEqual([]);
  });

  verifies('P-16', 'refuses a capability without a handler', async () => {
    const { invoke, audited } = lab({ metadata: metadata() });
    expect(await invoke()).toMatchObject({ status: 'refused', message: 'no handler for capability: note.write' });
    expect(audited()).toMatchObject([{ type: 'capability.unhandled' }]);
  });

  verifies('P-16', 'checks arguments against the schema before anything runs; absent ones are an empty object', async () => {
    const { invoke, order } = lab(works);
    const { arguments: _absent, ...without } = { arguments: undefined };
    expect(await invoke({ arguments: { text: 7 } })).toMatchObject({
      status: 'refused',
      code: 'invalid_arguments',
      message: 'invalid arguments for note.write: text must be string',
    });
    expect(await invoke({ ...without, arguments: {} })).toMatchObject({ status: 'refused', code: 'invalid_arguments' });
    expect(order).not.toContain('run');
    const free = lab({ metadata: metadata({ inputSchema: { type: 'object' } }), handler: async (args) => ({ output: args, text: 'ok' }) });
    expect(await free.invoke({ arguments: {} })).toMatchObject({ status: 'succeeded', output: {} });
  });

  verifies('P-16', 'does not run without an approval that it needs, and refuses past the budget', async () => {
    const destructive = lab({ ...works, metadata: metadata({ sideEffect: 'destructive' }) });
    expect(await destructive.invoke()).toMatchObject({
      status: 'approval-needed',
      invocation: { state: 'ARGUMENTS_VALIDATED' },
      need: { reason: 'destructive', needsOther: false, risk: 'destructive' },
    });
    expect(destructive.order).not.toContain('run');
    const { invoke, audited } = lab(works);
    expect(await invoke({ callsSoFar: 3 })).toMatchObject({ status: 'refused', code: 'budget_exceeded' });
    expect(audited()).toMatchObject([{ type: 'capability.denied' }]);
  });

  verifies('P-16', 'records how a call failed', async () => {
    const failing = lab({
      ...works,
      handler: async () => Promise.reject(new AppError({ code: 'capability_failed', message: 'no such page' })),
    });
    expect(await failing.invoke()).toMatchObject({ status: 'failed', message: 'no such page' });
    expect(failing.audited()).toMatchObject([{ type: 'capability.invoked' }, { type: 'capability.failed', reason: 'no such page' }]);
    const slow = lab({ metadata: metadata({ timeoutMs: 20 }), handler: () => new Promise(() => undefined) });
    expect(await slow.invoke()).toMatchObject({ status: 'failed', code: 'timeout' });
  });

  verifies(['H-16', 'K22'], 'makes a call again that failed in passing, each attempt and each wait on record', async () => {
    let calls = 0;
    const passing = lab({
      metadata: metadata({ idempotency: 'keyed' }),
      handler: async (_args, { idempotencyKey }) => {
        calls += 1;
        if (calls < 3) throw new AppError({ code: 'rate_limited', message: 'too many', details: { retryAfterMs: 5 } });
        return { output: { key: idempotencyKey }, text: 'ok' };
      },
    });
    const outcome = await passing.invoke({ runId: newId('run') });
    expect(outcome).toMatchObject({ status: 'succeeded', text: 'ok', invocation: { attempt: 3 } });
    const moves = passing.entries.flatMap((entry) => entry.transitions);
    expect(moves.map(({ to, attempt }) => [to, attempt])).toEqual([
      ['REQUESTED', 0],
      ['ARGUMENTS_VALIDATED', 0],
      ['EXECUTING', 1],
      ['RETRY_WAIT', 1],
      ['EXECUTING', 2],
      ['RETRY_WAIT', 2],
      ['EXECUTING', 3],
      ['SUCCEEDED', 3],
    ]);
    expect(new Set(moves.map(({ seq }) => seq)).size).toBe(moves.length);
    expect(moves[3]?.reason).toBe('too many; again in 5 ms');
    expect(passing.order.filter((step) => step !== 'run')).toEqual([
      'commit EXECUTING',
      'commit RETRY_WAIT',
      'commit EXECUTING',
      'commit RETRY_WAIT',
      'commit EXECUTING',
      'commit SUCCEEDED',
    ]);
    expect(passing.entries.flatMap(({ events }) => events).filter(({ type }) => type === 'ToolInvocationRequested')).toHaveLength(1);
  });

  verifies('H-16', 'gives up after its retries, at once where a repeat may do harm, and when something was said', async () => {
    const away = new AppError({ code: 'unavailable', message: 'away', details: { retryAfterMs: 1 } });
    const attempts = async (overrides: Partial<CapabilityMetadata>, speaks = false) => {
      const failing = lab({
        metadata: metadata(overrides),
        handler: async (_args, { emitText }) => {
          if (speaks) emitText('so far');
          throw away;
        },
      });
      expect(await failing.invoke()).toMatchObject({ status: 'failed', code: 'unavailable', message: 'away' });
      return failing.order.filter((step) => step === 'run').length;
    };
    expect(await attempts({ idempotency: 'idempotent' })).toBe(3);
    expect(await attempts({ idempotency: 'idempotent', maxRetries: 4 })).toBe(5);
    expect(await attempts({ idempotency: 'none' })).toBe(1);
    expect(await attempts({ sideEffect: 'read', idempotency: 'idempotent' }, true)).toBe(1);
  });

  verifies('K22', 'stops waiting when the run is stopped', async () => {
    const stop = new AbortController();
    const patient = lab({
      metadata: metadata({ idempotency: 'keyed' }),
      handler: async () => {
        setTimeout(() => stop.abort(new Error('stopped')), 5);
        throw new AppError({ code: 'rate_limited', message: 'later', details: { retryAfterMs: 30_000 } });
      },
    });
    const started = performance.now();
    expect(await patient.invoke({ signal: stop.signal })).toMatchObject({ status: 'aborted', invocation: { state: 'FAILED', attempt: 1 } });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('goes on from a wait that its process did not outlive', async () => {
    const { invoke, entries } = lab({ ...works, metadata: metadata({ idempotency: 'keyed' }) });
    const first = await lab(works).invoke();
    const existing = { ...(first.invocation as InvocationRecord), state: 'RETRY_WAIT', attempt: 1, result: null } as const;
    expect(await invoke({ existing })).toMatchObject({ status: 'succeeded', invocation: { attempt: 2 } });
    expect(entries.flatMap(({ transitions }) => transitions).map(({ from, to }) => `${from} > ${to}`)).toEqual([
      'RETRY_WAIT > EXECUTING',
      'EXECUTING > SUCCEEDED',
    ]);
  });

  it('throws when the success of a call cannot be recorded: that is no failure of the call', async () => {
    const { invoke } = lab(works);
    for (const code of ['unavailable', 'stale_epoch'] as const) {
      const states: string[] = [];
      const ledger: InvocationLedger = {
        commit: async ({ invocation }) => {
          states.push(invocation.state);
          if (invocation.state !== 'EXECUTING') throw new AppError({ code, message: 'not recorded' });
        },
        defer: () => undefined,
      };
      await expect(invoke({ ledger })).rejects.toMatchObject({ code });
      expect(states).toEqual(['EXECUTING', 'SUCCEEDED']);
    }
  });

  it('never repeats a call whose outcome is unknown unless a person says so', async () => {
    const cutOff: InvocationRecord = {
      id: newId('invocation'),
      path: 'p/0',
      step: 0,
      capabilityId: 'note.write',
      capabilityVersion: '1.0.0',
      state: 'EXECUTING',
      attempt: 1,
      arguments: { text: 'hello' },
      argumentsHash: 'h',
      idempotencyKey: 'k',
      result: null,
      error: null,
      requestedAt: new Date(),
      finishedAt: null,
    };
    const { invoke, order, entries } = lab(works);
    expect(await invoke({ existing: cutOff })).toMatchObject({ status: 'outcome-unknown' });
    expect(await invoke({ existing: cutOff, resolution: 'skip' })).toMatchObject({ status: 'failed' });
    expect(order).not.toContain('run');
    expect(await invoke({ existing: cutOff, resolution: 'run-again' })).toMatchObject({ status: 'succeeded', invocation: { attempt: 2 } });
    expect(entries.at(-1)?.invocation.idempotencyKey).toBe('k');

    const keyed = lab({ ...works, metadata: metadata({ idempotency: 'keyed' }) });
    expect(await keyed.invoke({ existing: cutOff })).toMatchObject({ status: 'succeeded', invocation: { attempt: 2 } });
    const done = lab(works);
    expect(await done.invoke({ existing: { ...cutOff, state: 'SUCCEEDED', result: { output: { a: 1 }, text: 't' } } })).toMatchObject({
      status: 'succeeded',
      text: 't',
    });
    expect(done.entries).toEqual([]);
  });

  verifies(['P-17', 'H-02'], 'is the only code that calls a handler', () => {
    const sources = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.includes('.test.') && !file.startsWith('testing/'),
    );
    const callers = sources.filter((file) => /\bhandler\??\.?\(/.test(readFileSync(path.join('lib', file), 'utf8')));
    expect(callers).toEqual(['capabilities/run-handler.ts']);
  });
});

describe('createCapabilityRegistry', () => {
  verifies('P-18', 'keeps a tenant’s capabilities from other tenants', async () => {
    const registry = createCapabilityRegistry();
    const other = newId('tenant');
    registry.register(works, { tenantId });
    registry.register({ metadata: metadata({ id: 'echo' }) });
    expect(await registry.find(other, 'note.write')).toBeUndefined();
    expect((await registry.list(other)).map(({ id }) => id)).toEqual(['echo']);
    expect((await registry.list(tenantId)).map(({ id }) => id)).toEqual(['echo', 'note.write']);
    expect(() => registry.register({ metadata: metadata({ id: 'echo' }) }, { tenantId })).toThrow('already registered');
  });

  it('has a plugin’s capability where the plugin is in use, for each call anew', async () => {
    const enabled = new Map([
      ['NOTES', { permissions: new Set(['memory:write']), openConfiguration: (): JsonObject => ({ accent: 'dry' }) }],
    ]);
    const registry = createCapabilityRegistry({ listEnabled: async (tenant) => (tenant === tenantId ? enabled : new Map()) });
    registry.register(works, { pluginId: 'NOTES' });
    expect(await registry.find(newId('tenant'), 'note.write')).toBeUndefined();
    expect(await registry.find(tenantId, 'note.write')).toMatchObject({ configuration: { accent: 'dry' } });
    expect((await registry.list(tenantId)).map(({ id }) => id)).toEqual(['note.write']);

    enabled.set('NOTES', { permissions: new Set(), openConfiguration: () => ({}) });
    expect(await registry.find(tenantId, 'note.write'), 'nobody has consented to what it needs').toBeUndefined();
    expect(await registry.list(tenantId)).toEqual([]);
    enabled.clear();
    expect(await registry.find(tenantId, 'note.write')).toBeUndefined();
    expect(await registry.list(tenantId)).toEqual([]);
    expect(registry.describe(tenantId, 'note.write')?.sideEffect).toBe('write');
    expect(() => registry.register(works, { tenantId })).toThrow('already registered');
  });
});
