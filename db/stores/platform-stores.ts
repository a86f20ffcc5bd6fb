import { sql } from 'drizzle-orm';
import type { AuditLog } from '#lib/audit/index.ts';
import type { ClaimedGroups, OidcIdentityStore, PasswordResetStore, SignInSessionStore } from '#lib/auth/index.ts';
import { type Clock, toUuid } from '#lib/kernel/index.ts';
import type { OAuthStore } from '#lib/oauth/index.ts';
import type { InvitationHashStore, PlatformUnitOfWork, RightsBell, SettingStore, TenantStore, UserStore } from '#lib/tenancy/index.ts';
import type { Orm } from '../client.ts';
import { bindClaimedGroups } from './group-role-store.ts';
import { bindInvitationHashStore } from './invitation-store.ts';
import { bindOAuthStore } from './oauth-store.ts';
import { bindOidcIdentityStore } from './oidc-identity-store.ts';
import { bindPasswordResetStore } from './password-reset-store.ts';
import { bindPlatformAudit } from './platform-audit-store.ts';
import { bindSettingStore } from './platform-setting-store.ts';
import { bindRightsBell } from './rights-bell.ts';
import { bindSignInSessionStore } from './sign-in-session-store.ts';
import { bindTenantStore } from './tenant-store.ts';
import { bindUserStore } from './user-store.ts';

/** Every store of the platform tables. */
export interface AllPlatformStores {
  readonly tenants: TenantStore;
  readonly invitationHashes: InvitationHashStore;
  readonly users: UserStore;
  readonly settings: SettingStore;
  readonly signInSessions: SignInSessionStore;
  readonly passwordResets: PasswordResetStore;
  readonly identities: OidcIdentityStore;
  readonly claimedGroups: ClaimedGroups;
  readonly rights: RightsBell;
  readonly oauth: OAuthStore;
  readonly audit: AuditLog;
}

export function createPlatformUnitOfWork(orm: Orm, clock: Clock): PlatformUnitOfWork<AllPlatformStores> {
  return {
    within: (scope, work) =>
      orm.transaction(async (transaction) => {
        if (scope.userId) await transaction.execute(sql`select set_config('app.user_id', ${toUuid(scope.userId)}, true)`);
        const binding = { transaction, scope, clock };
        return work({
          tenants: bindTenantStore(binding),
          invitationHashes: bindInvitationHashStore(binding),
          users: bindUserStore(binding),
          settings: bindSettingStore(binding),
          signInSessions: bindSignInSessionStore(binding),
          passwordResets: bindPasswordResetStore(binding),
          identities: bindOidcIdentityStore(binding),
          claimedGroups: bindClaimedGroups(binding),
          rights: bindRightsBell(binding),
          oauth: bindOAuthStore(binding),
          audit: bindPlatformAudit(binding),
        });
      }),
  };
}
