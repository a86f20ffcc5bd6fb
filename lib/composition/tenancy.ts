import type { Database } from '#db/client.ts';
import { toPgShape } from '#db/pg-shape.ts';
import type { TenantStores } from '#db/stores/index.ts';
import { createRightsReader } from '#db/stores/member-rights-reader.ts';
import { createPlatformUnitOfWork } from '#db/stores/platform-stores.ts';
import { createRequestCountStore } from '#db/stores/request-count-store.ts';
import { type AuditLog, listAuditEvents } from '#lib/audit/index.ts';
import {
  apiKeyMint,
  changePassword,
  createOidcClient,
  createRequestLimiter,
  createSignInLimiter,
  endRoleView,
  endSignInSessions,
  findPasswordReset,
  getGroupRoles,
  invitationMint,
  isLoopback,
  linkTokens,
  listAccounts,
  listSignInSessions,
  makeMemberResetLink,
  makeOperatorResetLink,
  openOidc,
  passwordHasher,
  refuseOidc,
  resetPassword,
  revokeSignInSession,
  setAccountDisabled,
  setGroupRoles,
  setupCodes,
  signInToDemo,
  signInWithOidc,
  signInWithPassword,
  toAccountView,
  updateAccount,
  viewAsRole,
} from '#lib/auth/index.ts';
import type { Config } from '#lib/config/index.ts';
import type { Clock, UnitOfWork } from '#lib/kernel/index.ts';
import { readAddressPolicy } from '#lib/outbound/adapters/address-policy.ts';
import { createGuardedFetch } from '#lib/outbound/adapters/guarded-fetch.ts';
import { createOutboundGuard } from '#lib/outbound/adapters/outbound-guard.ts';
import {
  acceptInvitation,
  actorOfRun,
  addMember,
  changeMember,
  createApiKey,
  createInvitation,
  createRole,
  createTenant,
  createWorkspace,
  decideAccessRequest,
  deleteRole,
  deleteTenant,
  deleteTenantAsOperator,
  ensureDemoTenant,
  findDemoOwner,
  findOfferedInvitation,
  getAccount,
  getMe,
  getPermission,
  getWelcome,
  issueSetupCode,
  listAccessRequests,
  listApiKeys,
  listInvitations,
  listMembers,
  listRoles,
  listTenants,
  removeMember,
  requestAccess,
  resolveActor,
  revokeApiKey,
  revokeInvitation,
  updateRole,
  updateTenant,
} from '#lib/tenancy/index.ts';

/** Tenants, people and their rights, and how people come in. */
export function composeTenancy(parts: { config: Config; clock: Clock; database: Database; unitOfWork: UnitOfWork<TenantStores> }) {
  const { config, clock, database, unitOfWork } = parts;
  const rightsReader = createRightsReader({ sql: database.sql, clock });
  const platformUnitOfWork = createPlatformUnitOfWork(database.orm, clock);
  const platformAudit: AuditLog = { record: (entry) => platformUnitOfWork.within({}, ({ audit }) => audit.record(entry)) };
  const signInLimiter = createSignInLimiter({
    client: toPgShape(database.sql),
    attempts: config.signInAttempts,
    windowMs: config.signInWindowMs,
  });
  const requestLimiter = createRequestLimiter({
    limits: { user: config.requestsPerUser, key: config.requestsPerKey, tenant: config.requestsPerTenant },
    store: createRequestCountStore(database.sql),
    clock,
  });
  const policy = readAddressPolicy(config.outboundAllow);
  const openProvider =
    config.oidc &&
    createOidcClient({
      settings: config.oidc,
      guardedFetch: createGuardedFetch(policy),
      guard: createOutboundGuard(policy),
      now: () => clock.now(),
    });
  const deps = {
    config,
    oidc: config.oidc,
    openProvider,
    clock,
    unitOfWork,
    platformUnitOfWork,
    rightsReader,
    passwordHasher,
    setupCodes,
    apiKeyMint,
    invitationMint,
    linkTokens,
    signInLimiter,
    publicOrigin: config.publicUrl.origin,
    isDemoAllowed: isDemoWanted(config),
  };
  return {
    platformAudit,
    requestLimiter,
    resolveActor: resolveActor(deps),
    actorOfRun: actorOfRun(deps),
    getAccount: getAccount(deps),
    signInWithPassword: signInWithPassword(deps),
    signInToDemo: signInToDemo(deps),
    /** What the sign-in page offers beside a password; null: nothing. */
    signInProvider: config.oidc && { label: config.oidc.label },
    openOidc: openOidc(deps),
    signInWithOidc: signInWithOidc(deps),
    refuseOidc: refuseOidc(deps),
    getGroupRoles: getGroupRoles(deps),
    setGroupRoles: setGroupRoles(deps),
    listSignInSessions: listSignInSessions(deps),
    revokeSignInSession: revokeSignInSession(deps),
    viewAccount: toAccountView,
    updateAccount: updateAccount(deps),
    endSignInSessions: endSignInSessions(deps),
    changePassword: changePassword(deps),
    makeMemberResetLink: makeMemberResetLink(deps),
    makeOperatorResetLink: makeOperatorResetLink(deps),
    findPasswordReset: findPasswordReset(deps),
    resetPassword: resetPassword(deps),
    listAccounts: listAccounts(deps),
    setAccountDisabled: setAccountDisabled(deps),
    getWelcome: getWelcome(deps),
    createWorkspace: createWorkspace(deps),
    issueSetupCode: issueSetupCode(deps),
    ensureDemoTenant: ensureDemoTenant(deps),
    findDemoOwner: findDemoOwner(deps),
    getMe: getMe(deps),
    listTenants: listTenants(deps),
    listMembers: listMembers(deps),
    addMember: addMember(deps),
    changeMember: changeMember(deps),
    removeMember: removeMember(deps),
    getPermission: getPermission(deps),
    requestAccess: requestAccess(deps),
    listAccessRequests: listAccessRequests(deps),
    decideAccessRequest: decideAccessRequest(deps),
    viewAsRole: viewAsRole(deps),
    endRoleView: endRoleView(deps),
    listRoles: listRoles(deps),
    createRole: createRole(deps),
    updateRole: updateRole(deps),
    updateTenant: updateTenant(deps),
    deleteTenant: deleteTenant(deps),
    deleteTenantAsOperator: deleteTenantAsOperator(deps),
    createTenant: createTenant(deps),
    deleteRole: deleteRole(deps),
    listApiKeys: listApiKeys(deps),
    createApiKey: createApiKey(deps),
    revokeApiKey: revokeApiKey(deps),
    listInvitations: listInvitations(deps),
    createInvitation: createInvitation(deps),
    revokeInvitation: revokeInvitation(deps),
    findOfferedInvitation: findOfferedInvitation(deps),
    acceptInvitation: acceptInvitation({ ...deps, attempts: signInLimiter }),
    listAuditEvents: listAuditEvents(deps),
  };
}

/** Whether there is to be a demo tenant: where it was asked for, else for someone who tries the product on their own machine. */
export function isDemoWanted({ demo, isDatabaseEmbedded, host, publicUrl }: Config): boolean {
  return demo ?? (isDatabaseEmbedded && isLoopback(host) && isLoopback(publicUrl.hostname));
}
