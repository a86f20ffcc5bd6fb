import type { AuditLog, AuditReader } from '#lib/audit/index.ts';
import type { GroupRoleStore, PasswordResetStore, SignInSessionStore } from '#lib/auth/index.ts';
import type { ApprovalPolicyStore, KeyedCallStore } from '#lib/capabilities/index.ts';
import type { SessionStore } from '#lib/conversations/index.ts';
import type { DocumentStore, EmbeddingSpaceStore, FactStore, TermStore } from '#lib/knowledge/index.ts';
import type { McpAccountStore, McpServerStore } from '#lib/mcp/index.ts';
import type { BudgetStore, EmbeddingCallStore, ProviderStore } from '#lib/models/index.ts';
import type { DeliveryStore, NoticeSettingStore, NoticeStore } from '#lib/notifications/index.ts';
import type { OAuthStore } from '#lib/oauth/index.ts';
import type { InstallStore, OperationStore, PluginRequestStore, PluginUsageStore, SnapshotStore } from '#lib/plugins/index.ts';
import type { ExportStore, RevealStore, UsageReader } from '#lib/record/index.ts';
import type { ApprovalGrantStore } from '#lib/supervisor/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';
import { bindApprovalGrantStore, bindApprovalPolicyStore } from './approval-stores.ts';
import { bindAuditReader } from './audit-reader.ts';
import { bindAuditLog } from './audit-store.ts';
import { bindBudgetStore } from './budget-store.ts';
import { bindDocumentStore } from './document-store.ts';
import { bindEmbeddingCallStore } from './embedding-call-store.ts';
import { bindEmbeddingSpaceStore } from './embedding-space-store.ts';
import { bindExportStore } from './export-store.ts';
import { bindFactStore } from './fact-store.ts';
import { bindGroupRoleStore } from './group-role-store.ts';
import { bindKeyedCallStore } from './keyed-call-store.ts';
import { bindMcpAccountStore } from './mcp-account-store.ts';
import { bindMcpServerStore } from './mcp-store.ts';
import { bindDeliveryStore, bindNoticeSettingStore, bindNoticeStore } from './notification-stores.ts';
import { bindOAuthStore } from './oauth-store.ts';
import { bindPasswordResetStore } from './password-reset-store.ts';
import { bindPlatformAudit } from './platform-audit-store.ts';
import { bindPluginOperationStore } from './plugin-operation-store.ts';
import { bindInstallStore, bindPluginRequestStore, bindPluginUsageStore, bindSnapshotStore } from './plugin-stores.ts';
import { bindProviderStore } from './provider-store.ts';
import { bindRevealStore } from './reveal-store.ts';
import { bindSessionStore } from './session-store.ts';
import { bindSignInSessionStore } from './sign-in-session-store.ts';
import { type BoundTenancyStores, bindTenancyStores } from './tenancy-stores.ts';
import { bindTermStore } from './term-store.ts';
import { bindUsageReader } from './usage-reader.ts';

/** Every store of a tenant; a use case asks for the subset it needs. */
export interface TenantStores extends BoundTenancyStores {
  readonly sessions: SessionStore;
  readonly documents: DocumentStore;
  readonly facts: FactStore;
  readonly terms: TermStore;
  readonly providers: ProviderStore;
  readonly budgets: BudgetStore;
  readonly embeddingSpaces: EmbeddingSpaceStore;
  readonly embeddingCalls: EmbeddingCallStore;
  readonly mcpServers: McpServerStore;
  readonly mcpAccounts: McpAccountStore;
  readonly passwordResets: PasswordResetStore;
  readonly signInSessions: SignInSessionStore;
  readonly groupRoles: GroupRoleStore;
  readonly installs: InstallStore;
  readonly pluginOperations: OperationStore;
  readonly pluginSnapshots: SnapshotStore;
  readonly pluginRequests: PluginRequestStore;
  readonly pluginUsage: PluginUsageStore;
  readonly approvalPolicies: ApprovalPolicyStore;
  readonly approvalGrants: ApprovalGrantStore;
  readonly keyedCalls: KeyedCallStore;
  readonly reveals: RevealStore;
  readonly usage: UsageReader;
  readonly exports: ExportStore;
  readonly notices: NoticeStore;
  readonly deliveries: DeliveryStore;
  readonly noticeSettings: NoticeSettingStore;
  readonly oauth: OAuthStore;
  readonly audit: AuditLog;
  readonly auditReader: AuditReader;
  readonly platformAudit: AuditLog;
}

export function bindStores(binding: TenantBinding): TenantStores {
  return {
    audit: bindAuditLog(binding),
    auditReader: bindAuditReader(binding),
    platformAudit: bindPlatformAudit(binding),
    sessions: bindSessionStore(binding),
    documents: bindDocumentStore(binding),
    facts: bindFactStore(binding),
    terms: bindTermStore(binding),
    providers: bindProviderStore(binding),
    budgets: bindBudgetStore(binding),
    embeddingSpaces: bindEmbeddingSpaceStore(binding),
    embeddingCalls: bindEmbeddingCallStore(binding),
    mcpServers: bindMcpServerStore(binding),
    mcpAccounts: bindMcpAccountStore(binding),
    passwordResets: bindPasswordResetStore(binding),
    signInSessions: bindSignInSessionStore(binding),
    groupRoles: bindGroupRoleStore(binding),
    installs: bindInstallStore(binding),
    pluginOperations: bindPluginOperationStore(binding),
    pluginSnapshots: bindSnapshotStore(binding),
    pluginRequests: bindPluginRequestStore(binding),
    pluginUsage: bindPluginUsageStore(binding),
    approvalPolicies: bindApprovalPolicyStore(binding),
    approvalGrants: bindApprovalGrantStore(binding),
    keyedCalls: bindKeyedCallStore(binding),
    reveals: bindRevealStore(binding),
    usage: bindUsageReader(binding),
    exports: bindExportStore(binding),
    notices: bindNoticeStore(binding),
    deliveries: bindDeliveryStore(binding),
    noticeSettings: bindNoticeSettingStore(binding),
    oauth: bindOAuthStore(binding),
    ...bindTenancyStores(binding),
  };
}
