import type { Id } from '#lib/kernel/index.ts';

/**
 * How somebody sees a run. `own`: what they asked themselves, in plain. `redacted`: somebody else's, without what is
 * personal. `revealed`: somebody else's in plain, for a reason they gave, until a moment.
 */
export type Viewing = { readonly kind: 'own' | 'redacted' } | { readonly kind: 'revealed'; readonly until: Date };

/** Reading the same run again within this time is the same reading, and one entry of the record. */
export const READING_LASTS_MS = 10 * 60_000;

/** Whether somebody sees a run at all, and how; null: for them there is no such run. */
export function decideViewing(given: {
  readonly ownerId: Id<'user'> | null;
  readonly viewerId: Id<'user'>;
  readonly mayAudit: boolean;
  /** Whether the right to reveal is theirs now: one that was taken away takes its reveals with it. */
  readonly mayReveal: boolean;
  readonly revealedUntil: Date | null;
  readonly now: Date;
}): Viewing | null {
  const { ownerId, viewerId, mayAudit, mayReveal, revealedUntil, now } = given;
  if (ownerId === null) return null;
  if (ownerId === viewerId) return { kind: 'own' };
  if (!mayAudit) return null;
  return mayReveal && revealedUntil && revealedUntil > now ? { kind: 'revealed', until: revealedUntil } : { kind: 'redacted' };
}

/** Whether what is shown at `now` must be redacted: a reveal ends while a stream goes on. */
export function isRedactedAt(viewing: Viewing, now: Date): boolean {
  return viewing.kind === 'redacted' || (viewing.kind === 'revealed' && viewing.until <= now);
}
