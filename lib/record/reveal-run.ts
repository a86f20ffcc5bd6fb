import { AppError, type Id, newId } from '#lib/kernel/index.ts';
import { type Actor, auditedAs, hasPermission, requirePermission } from '#lib/tenancy/index.ts';
import type { RevealView } from './contract.ts';
import { decideViewing } from './domain/viewing.ts';
import type { ViewDependencies } from './ports.ts';

/**
 * Shows a run in plain to whoever asks, for `revealLastsMs` (ten minutes unless the operator set another time), and records who and why. Throws `permission_denied` without
 * `run:reveal`, `not_found` for a run they may not see.
 */
export async function revealRun(
  { reader, unitOfWork, clock, revealLastsMs }: ViewDependencies & { readonly revealLastsMs: number },
  actor: Actor,
  { runId, reason }: { runId: Id<'run'>; reason: string },
): Promise<RevealView> {
  requirePermission(actor, 'run:reveal');
  const now = clock.now();
  const viewing = decideViewing({
    ownerId: await reader.findOwner(actor.scope, runId),
    viewerId: actor.scope.userId,
    mayAudit: hasPermission(actor, 'run:audit'),
    mayReveal: true,
    revealedUntil: null,
    now,
  });
  if (!viewing) throw new AppError({ code: 'not_found', message: 'There is no such run.' });
  const reveal = {
    id: newId('reveal'),
    runId,
    userId: actor.scope.userId,
    reason,
    createdAt: now,
    expiresAt: new Date(now.getTime() + revealLastsMs),
  };
  await unitOfWork.within(actor.scope, async ({ reveals, audit }) => {
    await reveals.add(reveal);
    await audit.record({
      type: 'run.revealed',
      target: { kind: 'run', id: runId },
      runId,
      actor: auditedAs(actor),
      details: { reason, until: reveal.expiresAt.toISOString() },
    });
  });
  return { runId, reason, expiresAt: reveal.expiresAt.toISOString() };
}
