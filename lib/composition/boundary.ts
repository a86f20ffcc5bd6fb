import type { TenantStores } from '#db/stores/index.ts';
import { startAuth, startPeerMarking } from '#lib/auth/index.ts';
import type { Config } from '#lib/config/index.ts';
import type { JsonObject, UnitOfWork } from '#lib/kernel/index.ts';
import { setLogLevel } from '#lib/telemetry/index.ts';
import { auditedAs } from '#lib/tenancy/index.ts';
import type { composeTenancy } from './tenancy.ts';

/** Lets requests in: from here on routes and pages can ask who sends them. */
export function startBoundary(parts: {
  config: Config;
  unitOfWork: UnitOfWork<TenantStores>;
  tenancy: ReturnType<typeof composeTenancy>;
}): void {
  const { config, unitOfWork, tenancy } = parts;
  setLogLevel(config.logLevel);
  startPeerMarking();
  startAuth({
    config,
    resolveActor: tenancy.resolveActor,
    getAccount: tenancy.getAccount,
    admit: (sender) => tenancy.requestLimiter.admit(sender),
    signInWithPassword: tenancy.signInWithPassword,
    signInToDemo: tenancy.signInToDemo,
    openOidc: tenancy.openOidc,
    signInWithOidc: tenancy.signInWithOidc,
    refuseOidc: tenancy.refuseOidc,
    endSignIn: async ({ userId, signInSessionId }) => {
      await tenancy.revokeSignInSession({ userId }, signInSessionId);
    },
    async recordRefusal(sender, { method, path, code, details }) {
      const entry = {
        type: 'permission.denied',
        target: { kind: 'route', id: path },
        details: { ...(details as JsonObject), method, code },
      } as const;
      if ('actor' in sender) {
        await unitOfWork.within(sender.actor.scope, ({ audit }) => audit.record({ ...entry, actor: auditedAs(sender.actor) }));
      } else {
        const actor = sender.userId ? ({ kind: 'user', id: sender.userId } as const) : ({ kind: 'unknown', id: 'unknown' } as const);
        await tenancy.platformAudit.record({ ...entry, actor });
      }
    },
  });
}
