import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId, storableText } from '#lib/kernel/index.ts';
import { toAuditRecord } from './audit-record.ts';

const context = { tenantId: newId('tenant'), actor: { kind: 'system', id: 'supervisor' } as const, at: new Date(0) };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('toAuditRecord', () => {
  it('hashes the text that is stored, whatever was in it', () => {
    const { payload, hash } = toAuditRecord(
      { type: 'capability.failed', target: { kind: 'capability', id: 'x\u0000', name: '\ud800' }, details: { reason: 'a\u0000b' } },
      context,
    );
    expect(hash).toBe(sha256(payload));
    // What the database would change after the hash was taken could never be verified again.
    expect(storableText(payload)).toBe(payload);
    expect(JSON.parse(payload)).toMatchObject({ target: { id: 'x\ufffd', name: '\ufffd' }, details: { reason: 'a\ufffdb' } });
  });

  it('holds all of the event in the payload, so that a changed column can be told', () => {
    const actor = { kind: 'user', id: newId('user') } as const;
    const runId = newId('run');
    const record = toAuditRecord(
      { type: 'run.finished', actor, target: { kind: 'run', id: runId }, runId, details: { terminal: 'FINISH_OK' } },
      context,
    );
    expect(JSON.parse(record.payload)).toEqual({
      id: record.id,
      tenantId: context.tenantId,
      at: '1970-01-01T00:00:00.000Z',
      type: 'run.finished',
      actor,
      target: { kind: 'run', id: runId },
      runId,
      details: { terminal: 'FINISH_OK' },
    });
  });
});
