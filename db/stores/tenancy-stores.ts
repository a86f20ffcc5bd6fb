import type { TenancyStores } from '#lib/tenancy/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { bindAccessRequestStore } from './access-request-store.ts';
import { bindApiKeyStore } from './api-key-store.ts';
import { bindInvitationStore } from './invitation-store.ts';
import { bindMemberStore } from './member-store.ts';
import { bindSettingStore } from './platform-setting-store.ts';
import { bindRightsBell } from './rights-bell.ts';
import { bindRoleStore } from './role-store.ts';
import { bindTenantStore } from './tenant-store.ts';
import { bindUserStore } from './user-store.ts';

/** The audit log is every module's and bound beside these. */
export type BoundTenancyStores = Omit<TenancyStores, 'audit' | 'platformAudit'>;

export function bindTenancyStores(binding: TenantBinding): BoundTenancyStores {
  return {
    tenants: bindTenantStore(binding),
    users: bindUserStore(binding),
    roles: bindRoleStore(binding),
    members: bindMemberStore(binding),
    accessRequests: bindAccessRequestStore(binding),
    apiKeys: bindApiKeyStore(binding),
    invitations: bindInvitationStore(binding),
    settings: bindSettingStore(binding),
    rights: bindRightsBell(binding),
  };
}
