import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { AppError, newId, systemClock } from '#lib/kernel/index.ts';
import { type Actor, PERMISSIONS } from '#lib/tenancy/index.ts';
import { createAjvArgumentValidator } from './adapters/ajv-argument-validator.ts';
import type { CapabilityMetadata } from './domain/capability.ts';
import { createInvoker } from './invoker.ts';
import type { InvocationLedger, LedgerEntry } from './ports.ts';
import { createCapabilityRegistry } from './registry.ts';

const actor: Actor = {
  kind: 'user',
  scope: { tenantId: newId('tenant'), userId: newId('user') },
  displayName: 'Ada',
  email: 'ada@example.com',
  roleKey: 'owner',
  roleName: 'Owner',
  permissions: new Set(PERMISSIONS),
  locale: null,
  timeZone: 'UTC',
};

/** One call of one capability; `happened` tells in which order the record and the deed were. */
function lab(metadata: Partial<CapabilityMetadata>, ledger: Partial<InvocationLedger> = {}) {
  const happened: string[] = [];
  const entries: LedgerEntry[] = [];
  const registry = createCapabilityRegistry();
  registry.register({
    metadata: {
      id: 'note.write',
      version: '1.0.0',
      status: 'active',
      domain: 'notes',
      title: { en: 'Write', 'zh-CN': '写' },
      description: { en: '', 'zh-CN': '' },
      keywords: [],
      examples: [],
      inputSchema: { type: 'object' },
      requiredPermissions: [],
      sideEffect: 'write',
      idempotency: 'none',
      timeoutMs: 1_000,
      ...metadata,
    },
    handler: async () => {
      happened.push('done');
      return { output: {}, text: '' };
    },
  });
  const invoker = createInvoker({
    registry,
    validator: createAjvArgumentValidator(),
    platformAudit: { record: async () => undefined },
    clock: systemClock,
    maxCallsPerRun: 10,
  });
  const invoke = () =>
    invoker.invoke({
      actor,
      capabilityId: 'note.write',
      runId: newId('run'),
      path: 'p/0',
      step: 0,
      callsSoFar: 0,
      ledger: {
        async commit(entry) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          happened.push(entry.invocation.state);
          entries.push(entry);
        },
        defer(entry) {
          happened.push(`later: ${entry.invocation.state}`);
          entries.push(entry);
        },
        ...ledger,
      },
      locale: 'en',
      timeZone: 'UTC',
      signal: new AbortController().signal,
    });
  return { invoke, happened, entries };
}

describe('a call that changes something', () => {
  verifies('P-16', 'acts only once its beginning is on record', async () => {
    const { invoke, happened } = lab({});
    await invoke();
    expect(happened).toEqual(['EXECUTING', 'done', 'SUCCEEDED']);
  });

  verifies(['P-16', 'K4'], 'does not act when its beginning is refused', async () => {
    const begins: boolean[] = [];
    const { invoke, happened } = lab(
      {},
      {
        commit: async (_entry, options) => {
          begins.push(options.begins);
          throw new AppError({ code: 'stale_epoch', message: 'a stop was asked for' });
        },
      },
    );
    await expect(invoke()).rejects.toMatchObject({ code: 'stale_epoch' });
    expect(begins).toEqual([true]);
    expect(happened).toEqual([]);
  });
});

describe('a call that only reads', () => {
  it('lets its beginning and its outcome share the next write', async () => {
    const { invoke, happened } = lab({ sideEffect: 'read', idempotency: 'idempotent' });
    await invoke();
    expect(happened).toEqual(['later: EXECUTING', 'done', 'later: SUCCEEDED']);
  });
});

describe('a capability that is switched off', () => {
  verifies('P-16', 'is as unknown as one that never was, and the call is on record', async () => {
    const { invoke, happened, entries } = lab({ status: 'disabled' });
    expect(await invoke()).toMatchObject({ status: 'refused', code: 'unknown_capability', message: 'unknown capability: note.write' });
    expect(happened).toEqual(['FAILED']);
    expect(entries.flatMap((entry) => entry.audit)).toMatchObject([{ type: 'capability.unknown' }]);
  });
});
