import type { AuditEntry, AuditLog } from '#lib/audit/index.ts';
import { type Id, isAppError, type UnitOfWork } from '#lib/kernel/index.ts';
import { metrics } from '#lib/telemetry/index.ts';
import type { PlatformUnitOfWork } from '#lib/tenancy/index.ts';
import type { AuthStores, Sender, SignInLimiter } from './ports.ts';

export interface RecordDependencies {
  readonly unitOfWork: UnitOfWork<{ readonly audit: AuditLog }>;
  readonly platformUnitOfWork: PlatformUnitOfWork<AuthStores>;
}

/** Takes one attempt at an account's password. Throws `rate_limited`, on the record, when there are none left. */
export async function consumeAttempt(
  deps: RecordDependencies & { readonly signInLimiter: SignInLimiter },
  { email, sender }: { email: string; sender: Sender },
): Promise<void> {
  try {
    await deps.signInLimiter.consume({ email, ip: sender.ip });
  } catch (error) {
    if (isAppError(error)) await recordFailure(deps, { userId: null, email, reason: 'rate-limited', sender });
    throw error;
  }
}

/** A password that was wrong, or a sign-in that was refused: in the platform's log, and in those of the account's tenants. */
export async function recordFailure(
  deps: RecordDependencies,
  failure: { userId: Id<'user'> | null; email: string; reason: string; sender: Sender },
): Promise<void> {
  const entry: AuditEntry = {
    type: 'sign-in.failed',
    actor: { kind: 'unknown', id: 'unknown' },
    target: { kind: 'user', id: failure.userId ?? 'unknown', ...(failure.email === '' ? {} : { name: failure.email }) },
    details: { reason: failure.reason, ip: failure.sender.ip },
  };
  const tenants = await deps.platformUnitOfWork.within(failure.userId ? { userId: failure.userId } : {}, async ({ tenants, audit }) => {
    await audit.record(entry);
    return failure.userId ? tenants.listOfUser(failure.userId) : [];
  });
  await recordInTenants(deps, tenants, entry);
  metrics.signIns.inc({ outcome: failure.reason });
}

/** Their auditors see what concerns their people; what the platform's own log holds, they do not. */
export async function recordInTenants(
  deps: Pick<RecordDependencies, 'unitOfWork'>,
  tenants: readonly { id: Id<'tenant'> }[],
  ...entries: readonly AuditEntry[]
): Promise<void> {
  for (const entry of entries)
    for (const { id } of tenants) await deps.unitOfWork.within({ tenantId: id }, ({ audit }) => audit.record(entry));
}
