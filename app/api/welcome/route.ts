import { application } from '#lib/composition/index.ts';
import { methods, publicRoute } from '#lib/http/index.ts';
import { createWorkspaceBody, createWorkspaceResult, welcomeView } from '#lib/tenancy/contract.ts';

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: publicRoute({
    response: welcomeView,
    handle: async ({ isTrusted, findAccount }) => application().getWelcome({ isTrusted, account: await findAccount() }),
  }),
  POST: publicRoute({
    body: createWorkspaceBody,
    response: createWorkspaceResult,
    status: 201,
    handle: async ({ body, isTrusted, findAccount }) => application().createWorkspace(body, { isTrusted, account: await findAccount() }),
  }),
});
