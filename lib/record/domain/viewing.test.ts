import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { decideViewing, isRedactedAt } from './viewing.ts';

const [owner, other] = [newId('user'), newId('user')];
const now = new Date('2026-11-30T12:00:00Z');
const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
const see = (given: Partial<Parameters<typeof decideViewing>[0]>) =>
  decideViewing({ ownerId: owner, viewerId: other, mayAudit: false, mayReveal: false, revealedUntil: null, now, ...given });

describe('decideViewing', () => {
  it('shows what one asked oneself in plain', () => {
    expect(see({ viewerId: owner })).toEqual({ kind: 'own' });
  });

  it('shows nothing of others without the right to audit, not even with a reveal', () => {
    expect(see({})).toBeNull();
    expect(see({ mayReveal: true, revealedUntil: after })).toBeNull();
    expect(see({ ownerId: null, mayAudit: true })).toBeNull();
  });

  it('shows others redacted, and in plain until a reveal ends or the right to it does', () => {
    const auditor = { mayAudit: true, mayReveal: true };
    expect(see({ mayAudit: true })).toEqual({ kind: 'redacted' });
    expect(see({ ...auditor, revealedUntil: after })).toEqual({ kind: 'revealed', until: after });
    for (const revealedUntil of [now, before]) expect(see({ ...auditor, revealedUntil })).toEqual({ kind: 'redacted' });
    expect(see({ ...auditor, mayReveal: false, revealedUntil: after })).toEqual({ kind: 'redacted' });
  });
});

describe('isRedactedAt', () => {
  it('redacts a stream from the moment on in which its reveal ends', () => {
    expect(isRedactedAt({ kind: 'revealed', until: after }, now)).toBe(false);
    expect(isRedactedAt({ kind: 'revealed', until: now }, now)).toBe(true);
    expect(isRedactedAt({ kind: 'redacted' }, now)).toBe(true);
    expect(isRedactedAt({ kind: 'own' }, now)).toBe(false);
  });
});
