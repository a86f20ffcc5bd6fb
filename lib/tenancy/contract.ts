import { z } from 'zod';
import { PERMISSIONS } from './domain/permission.ts';

/** Shapes of tenants, people and keys as the API and the browser see them. Instants are ISO 8601 in UTC. */
export const locale = z.enum(['en', 'zh-CN']);
export type Locale = z.infer<typeof locale>;

export const tenantView = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  isDemo: z.boolean(),
  /** What people read who have chosen no language; null: what their browser asks for. */
  defaultLocale: locale.nullable(),
  createdAt: z.string(),
});
export type TenantView = z.infer<typeof tenantView>;

/** The signed-in person in one tenant, with what they may do there. */
export const meView = z.object({
  user: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    locale: locale.nullable(),
    /** IANA name; null: that of the browser. */
    timeZone: z.string().nullable(),
    isOperator: z.boolean(),
  }),
  tenant: tenantView,
  role: z.object({ key: z.string(), name: z.string() }),
  permissions: z.array(z.string()),
  /** Set while the person looks as another role does: `role` and `permissions` are then of that role, or fewer. */
  ownRole: z.object({ key: z.string(), name: z.string() }).nullable(),
  /** Requests for access that wait for somebody like this person. */
  openAccessRequests: z.number(),
  tenants: z.array(z.object({ slug: z.string(), name: z.string() })),
});
export type MeView = z.infer<typeof meView>;

export const memberView = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.object({ id: z.string(), key: z.string(), name: z.string() }),
  joinedAt: z.string(),
  disabledAt: z.string().nullable(),
});
export type MemberView = z.infer<typeof memberView>;

/** What a role may do, as `noun:verb`. */
export const permissionName = z.enum(PERMISSIONS);
export type PermissionName = z.infer<typeof permissionName>;

export const roleView = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  isBuiltIn: z.boolean(),
  permissions: z.array(z.string()),
  memberCount: z.number(),
});
export type RoleView = z.infer<typeof roleView>;

export const apiKeyView = z.object({
  id: z.string(),
  name: z.string(),
  /** The key's first characters, enough to tell keys apart. */
  hint: z.string(),
  scopes: z.array(z.string()),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type ApiKeyView = z.infer<typeof apiKeyView>;

export const invitationView = z.object({
  id: z.string(),
  role: z.object({ key: z.string(), name: z.string() }),
  /** Whom it is meant for, as its maker put it. */
  note: z.string(),
  invitedBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  acceptedAt: z.string().nullable(),
  /** The name of whoever used it. */
  acceptedBy: z.string().nullable(),
});
export type InvitationView = z.infer<typeof invitationView>;

/** `permission` or `capability`: what is asked about; `user`: whom, oneself where it is left out. */
export const accessQuery = z.object({
  user: z.string().max(80).optional(),
  permission: permissionName.optional(),
  capability: z.string().max(200).optional(),
});
export type AccessQuery = z.infer<typeof accessQuery>;

/** Why somebody may or may not do something, as it stands now. */
export const accessView = z.object({
  person: z.object({ userId: z.string(), name: z.string(), role: z.object({ key: z.string(), name: z.string() }) }),
  subject: z.object({ kind: z.enum(['permission', 'capability']), id: z.string() }),
  isAllowed: z.boolean(),
  /** The rule that decided. */
  rule: z.enum(['granted', 'locked-out', 'closed-account', 'lacking', 'unknown', 'no-handler']),
  required: z.array(z.string()),
  lacking: z.array(z.string()),
  /** Whether each call is put before a person even so. */
  needsApproval: z.boolean(),
  /** Roles that hold everything required. */
  grantingRoles: z.array(z.object({ key: z.string(), name: z.string() })),
  /** People who may give another role, at most five. */
  granters: z.array(z.object({ name: z.string(), email: z.string() })),
});
export type AccessView = z.infer<typeof accessView>;

/** A member's wish for a permission that their role lacks. */
export const accessRequestView = z.object({
  id: z.string(),
  requester: z.object({ userId: z.string(), name: z.string() }),
  /** Theirs now; null where it is not for the reader to know, or the request is decided. */
  role: z.object({ key: z.string(), name: z.string() }).nullable(),
  permission: permissionName,
  reason: z.string(),
  state: z.enum(['OPEN', 'GRANTED', 'REFUSED', 'WITHDRAWN']),
  decidedBy: z.object({ name: z.string() }).nullable(),
  decidedAt: z.string().nullable(),
  /** Why it was refused. */
  note: z.string().nullable(),
  createdAt: z.string(),
  /** Roles that hold it and that the reader may give, the best first, with what else the person gains and loses by each. */
  grants: z.array(z.object({ key: z.string(), name: z.string(), gains: z.array(z.string()), loses: z.array(z.string()) })),
});
export type AccessRequestView = z.infer<typeof accessRequestView>;
export const accessRequestPage = z.object({ items: z.array(accessRequestView), nextCursor: z.null() });
export type AccessRequestPage = z.infer<typeof accessRequestPage>;
export const accessRequestQuery = z.object({ state: accessRequestView.shape.state.optional() });
export type AccessRequestQuery = z.infer<typeof accessRequestQuery>;
export const requestAccessBody = z.object({ permission: permissionName, reason: z.string().trim().min(1).max(1000) });
export const decideAccessBody = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('grant'), roleKey: z.string().max(80) }),
  z.object({ decision: z.literal('refuse'), note: z.string().trim().min(1).max(1000) }),
  z.object({ decision: z.literal('withdraw') }),
]);

/** A permission as it concerns the reader: whether they have it, who could give it, their latest request for it. */
export const permissionView = z.object({
  permission: permissionName,
  isHeld: z.boolean(),
  /** At most five. */
  granters: z.array(z.object({ name: z.string() })),
  request: accessRequestView.nullable(),
});
export type PermissionView = z.infer<typeof permissionView>;

export const signInSessionView = z.object({
  id: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  isCurrent: z.boolean(),
});
export type SignInSessionView = z.infer<typeof signInSessionView>;

export const slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'Use 1 to 40 of a-z, 0-9 and -, not at the ends.');
export const emailAddress = z
  .email()
  .max(254)
  .transform((text) => text.trim().toLowerCase());
/** An IANA name that this server knows. */
export const timeZone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
    } catch {
      return false;
    }
  }, 'This is no time zone that is known here.');
export const newPassword = z.string().min(12, 'Use at least 12 characters.').max(200);

export const createWorkspaceBody = z.object({
  name: z.string().trim().min(1).max(80),
  slug,
  person: z.object({ name: z.string().trim().min(1).max(80), email: emailAddress, password: newPassword }),
  setupCode: z.string().optional(),
});

export const updateTenantBody = z.object({
  name: z.string().trim().min(1).max(80).optional(),
  defaultLocale: locale.nullable().optional(),
});
/** `confirm`: the workspace's address, typed. */
export const deleteTenantQuery = z.object({ confirm: z.string() });

/** A deleted workspace, and how far the removal of what it held has come. */
export const purgeView = z.object({
  tenantId: z.string(),
  slug: z.string(),
  name: z.string(),
  requestedAt: z.string(),
  /** null until the rows have been counted. */
  totalRows: z.number().nullable(),
  purgedRows: z.number(),
  finishedAt: z.string().nullable(),
});
export type PurgeView = z.infer<typeof purgeView>;
export const purgePage = z.object({ items: z.array(purgeView), nextCursor: z.null() });
export type PurgePage = z.infer<typeof purgePage>;

/** A workspace as an operator sees it: counts, and nothing of what it holds. */
export const operatedTenantView = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  isDemo: z.boolean(),
  createdAt: z.string(),
  suspendedAt: z.string().nullable(),
  members: z.number(),
  chats: z.number(),
  runs: z.number(),
  openRuns: z.number(),
  documents: z.number(),
  lastRunAt: z.string().nullable(),
});
export type OperatedTenantView = z.infer<typeof operatedTenantView>;
export const operatedTenantPage = z.object({ items: z.array(operatedTenantView), purges: z.array(purgeView), nextCursor: z.null() });
export type OperatedTenantPage = z.infer<typeof operatedTenantPage>;
export const createTenantBody = z.object({ name: z.string().trim().min(1).max(80), slug });
/** `url` invites the workspace's first owner; it is shown here and never again. */
export const createTenantResult = z.object({ id: z.string(), slug: z.string(), url: z.string() });
/** How the deployment stands, as an operator sees it. */
export const healthView = z.object({
  versions: z.object({ bailiwick: z.string(), node: z.string(), engine: z.string() }),
  process: z.object({ role: z.string(), startedAt: z.string(), isEmbeddedDatabase: z.boolean() }),
  database: z.object({
    version: z.string(),
    latencyMs: z.number(),
    sizeBytes: z.number(),
    connections: z.number(),
    maxConnections: z.number(),
  }),
  migrations: z.object({ applied: z.number(), expected: z.number() }),
  engine: z.object({ isReady: z.boolean(), activeSegments: z.number(), maxActiveSegments: z.number() }),
  queue: z.object({ queued: z.number(), claimed: z.number(), oldestQueuedAt: z.string().nullable() }),
  /** Processes that drive runs. */
  processes: z.array(z.object({ id: z.string(), address: z.string().nullable(), since: z.string() })),
});
export type HealthView = z.infer<typeof healthView>;
export const operateTenantBody = z.object({ suspended: z.boolean() });

export const createApiKeyBody = z.object({
  name: z.string().trim().min(1).max(80),
  scopes: z.array(z.string()).min(1),
  expiresAt: z.iso.datetime({ offset: true }).nullable().optional(),
});

export const createRoleBody = z.object({ name: z.string().trim().min(1).max(60), permissions: z.array(z.string()).min(1) });
export const addMemberBody = z.object({
  email: emailAddress,
  name: z.string().trim().min(1).max(80),
  password: newPassword.optional(),
  roleKey: z.string(),
});
export const changeMemberBody = z.object({ roleKey: z.string().optional(), disabled: z.boolean().optional() });
export const createInvitationBody = z.object({
  roleKey: z.string(),
  note: z.string().trim().max(120).default(''),
  expiresInDays: z.number().int().min(1).max(90).default(7),
});
export const acceptInvitationBody = z.object({
  token: z.string().max(100),
  /** Left out by who is signed in: then it is they who join. */
  person: z.object({ name: z.string().trim().min(1).max(80), email: emailAddress, password: newPassword }).optional(),
});
export const updateRoleBody = createRoleBody.partial();
export const updateAccountBody = z.object({
  name: z.string().trim().min(1).max(80).optional(),
  /** null: ask the browser. */
  locale: locale.nullable().optional(),
  theme: z.enum(['light', 'dark']).nullable().optional(),
  timeZone: timeZone.nullable().optional(),
});
export const changePasswordBody = z.object({ currentPassword: z.string().min(1).max(1000), newPassword });
/** `keep=current`: all but the one that asks. */
export const endSignInSessionsQuery = z.object({ keep: z.literal('current').optional() });

/** A link by which a person sets a new password. The address is shown here and never again. */
export const resetLinkView = z.object({ url: z.string(), expiresAt: z.string() });
export type ResetLinkView = z.infer<typeof resetLinkView>;
export const resetPasswordBody = z.object({ token: z.string().max(200), password: newPassword });

/** What an operator changes of an account, over all tenants. */
export const changeAccountBody = z.object({ disabled: z.boolean() });
export const accountStandView = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  disabled: z.boolean(),
  isOperator: z.boolean(),
});
export type AccountStandView = z.infer<typeof accountStandView>;

/** Which groups of the sign-in provider have which role in a tenant; of several that fit a person, the first counts. */
export const groupRolesView = z.object({
  /** null: the operator has set none up. */
  provider: z.object({ issuer: z.string(), label: z.string().nullable(), groupsClaim: z.string() }).nullable(),
  groupRoles: z.array(z.object({ group: z.string(), roleKey: z.string(), roleName: z.string() })),
});
export type GroupRolesView = z.infer<typeof groupRolesView>;
export const setGroupRolesBody = z.object({
  groupRoles: z.array(z.object({ group: z.string().trim().min(1).max(256), roleKey: z.string() })).max(200),
});

/** What the welcome page may offer to whoever asks. */
export const welcomeView = z.object({
  canCreate: z.boolean(),
  /** Set while the first workspace is missing and the asker is not at the server's own machine. */
  needsSetupCode: z.boolean(),
  canOpenDemo: z.boolean(),
  demoSlug: z.string().nullable(),
});
export type WelcomeView = z.infer<typeof welcomeView>;
export const createWorkspaceResult = z.object({ slug: z.string() });

/** How lists page: `cursor` is the `nextCursor` of the page before; null there means the end. */
export const pageQuery = z.object({ cursor: z.string().max(200).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) });
export type PageQuery = z.infer<typeof pageQuery>;

/** `q`: a part of a name or an address. `role`: a role's key. */
export const memberQuery = pageQuery.extend({ q: z.string().trim().max(200).optional(), role: z.string().max(80).optional() });
export type MemberQuery = z.infer<typeof memberQuery>;

/** `q`: a part of a name or an address. `state`: whether the account is open. */
export const accountQuery = pageQuery.extend({
  q: z.string().trim().max(200).optional(),
  state: z.enum(['open', 'closed']).optional(),
});
export type AccountQuery = z.infer<typeof accountQuery>;
export const accountStandPage = z.object({ items: z.array(accountStandView), nextCursor: z.string().nullable() });
export type AccountStandPage = z.infer<typeof accountStandPage>;

export const memberPage = z.object({ items: z.array(memberView), nextCursor: z.string().nullable() });
export type MemberPage = z.infer<typeof memberPage>;
export const rolePage = z.object({ items: z.array(roleView), nextCursor: z.null() });
export type RolePage = z.infer<typeof rolePage>;
export const apiKeyPage = z.object({ items: z.array(apiKeyView), nextCursor: z.string().nullable() });
export type ApiKeyPage = z.infer<typeof apiKeyPage>;
export const invitationPage = z.object({ items: z.array(invitationView), nextCursor: z.string().nullable() });
export type InvitationPage = z.infer<typeof invitationPage>;

/** `url` is shown here and never again. */
export const createInvitationResult = z.object({ url: z.string(), invitation: invitationView });
export type CreateInvitationResult = z.infer<typeof createInvitationResult>;

export const acceptInvitationResult = z.object({ slug: z.string() });

/** What whoever holds a link may know before they use it. */
export const offeredInvitationView = z.object({
  tenant: z.string(),
  role: z.object({ key: z.string(), name: z.string() }),
  invitedBy: z.string(),
  expiresAt: z.string(),
});
export type OfferedInvitationView = z.infer<typeof offeredInvitationView>;

/** `key` is shown here and never again. */
export const createApiKeyResult = z.object({ key: z.string(), apiKey: apiKeyView });
export type CreateApiKeyResult = z.infer<typeof createApiKeyResult>;

export const accountView = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  locale: locale.nullable(),
  theme: z.string().nullable(),
  timeZone: z.string().nullable(),
  /** False for people who sign in elsewhere. */
  hasPassword: z.boolean(),
  isOperator: z.boolean(),
});
export type AccountView = z.infer<typeof accountView>;
export const signInSessionPage = z.object({ items: z.array(signInSessionView), nextCursor: z.null() });
export type SignInSessionPage = z.infer<typeof signInSessionPage>;
