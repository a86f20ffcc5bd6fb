import type { Id, JsonObject } from '#lib/kernel/index.ts';

/** Every type an audit row can have: `noun.verbed`. A type that is not listed cannot be recorded. */
export const AUDIT_EVENT_TYPES = [
  'access.granted',
  'access.refused',
  'access.requested',
  'access.withdrawn',
  'account.created',
  'account.disabled',
  'account.enabled',
  'agent.session.created',
  'agent.session.updated',
  'agent.session.deleted',
  'api-key.created',
  'api-key.revoked',
  'approval.decided',
  'approval.expired',
  'approval.requested',
  'approval.withdrawn',
  'approval-grant.created',
  'approval-grant.revoked',
  'approval-policy.updated',
  'budget.created',
  'budget.deleted',
  'budget.refused',
  'budget.updated',
  'capability.denied',
  'capability.failed',
  'capability.invoked',
  'capability.rejected',
  'capability.succeeded',
  'capability.unhandled',
  'capability.unknown',
  'document.created',
  'document.deleted',
  'document.updated',
  'embedding-model.chosen',
  'embedding-model.removed',
  'embedding-model.tested',
  'export.cancelled',
  'export.created',
  'export.downloaded',
  'export.ended',
  'fact.forgotten',
  'fact.remembered',
  'fact.updated',
  'invitation.accepted',
  'invitation.created',
  'invitation.revoked',
  'group-roles.updated',
  'mcp-account.connected',
  'mcp-account.disconnected',
  'mcp-server.checked',
  'mcp-server.created',
  'mcp-server.deleted',
  'mcp-server.updated',
  'mcp-tool.accepted',
  'mcp-tool.updated',
  'mcp-tools.changed',
  'member.added',
  'member.changed',
  'member.kept',
  'member.removed',
  'model-provider.created',
  'model-provider.deleted',
  'model-provider.tested',
  'model-provider.updated',
  'model.called',
  'notification.redelivered',
  'notification.undeliverable',
  'notification-preference.updated',
  'oauth.allowed',
  'password.changed',
  'password.reset',
  'password.reset-link-made',
  'permission.denied',
  'plugin.configured',
  'plugin.disabled',
  'plugin.enabled',
  'plugin.install-failed',
  'plugin.install-started',
  'plugin.installed',
  'plugin.request-approved',
  'plugin.request-refused',
  'plugin.request-withdrawn',
  'plugin.requested',
  'plugin.uninstalled',
  'plugin.upgraded',
  'question.answered',
  'question.asked',
  'role.created',
  'role.deleted',
  'role.updated',
  'role.view-ended',
  'role.view-started',
  'run.cancel-requested',
  'run.finished',
  'run.read',
  'run.revealed',
  'run.submitted',
  'sign-in.failed',
  'sign-in.linked',
  'sign-in.session-revoked',
  'sign-in.succeeded',
  'tenant.created',
  'tenant.deleted',
  'tenant.purged',
  'tenant.resumed',
  'tenant.suspended',
  'tenant.updated',
  'term.created',
  'term.deleted',
  'term.updated',
  'webhook.deleted',
  'webhook.secret-rotated',
  'webhook.tested',
  'webhook.updated',
] as const;

export type AuditEventType = (typeof AUDIT_EVENT_TYPES)[number];

/** Who did it; `unknown` where nobody could be told. */
export interface AuditActor {
  readonly kind: 'user' | 'api-key' | 'system' | 'unknown';
  readonly id: string;
}

export interface AuditTarget {
  readonly kind: string;
  readonly id: string;
  readonly name?: string;
}

/** What a use case says; time, id, canonical payload and hash are added on the way in. */
export interface AuditEntry {
  readonly type: AuditEventType;
  readonly target: AuditTarget;
  readonly runId?: Id<'run'>;
  readonly details?: JsonObject;
  /** Defaults to the actor of the scope. */
  readonly actor?: AuditActor;
}
