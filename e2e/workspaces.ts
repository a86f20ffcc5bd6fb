import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { createApiKeyResult, createWorkspaceResult, type MemberView, memberView } from '#lib/tenancy/contract.ts';
import { PERMISSIONS } from '#lib/tenancy/index.ts';
import { type Person, signIn } from './sign-in.ts';
import { TenantClient } from './tenant-client.ts';

/** A tenant of a test's own, with an API key of its owner that may do everything. */
export interface Workspace {
  readonly slug: string;
  readonly owner: Person;
  /** Asks as the owner in a browser. */
  readonly ownerApi: TenantClient;
  /** Asks with the API key. */
  readonly api: TenantClient;
  readonly addPerson: (roleKey: string) => Promise<Person & { readonly userId: string }>;
  /** Signs a person of this workspace in. */
  readonly apiOf: (person: Person) => Promise<TenantClient>;
  readonly createKey: (scopes: readonly string[], expiresAt?: string) => Promise<{ id: string; key: string }>;
}

const PASSWORD = 'correct horse battery';
const operatorFile = () => path.join(process.env.E2E_DATA_DIR ?? '', 'operator.json');
const operatorHeaders = z.object({ cookie: z.string(), origin: z.string() });

/** Creates the first workspace, whose owner becomes the operator that makes the others. Once a server. */
export async function createOperator(origin: string): Promise<void> {
  const { ownerApi } = await foundFirstWorkspace(origin);
  writeFileSync(operatorFile(), JSON.stringify(ownerApi.identity), { mode: 0o600 });
}

/** The first workspace of a server that has none; its owner is the operator. */
export async function foundFirstWorkspace(origin: string): Promise<Workspace> {
  const slug = 'operators';
  const person = { name: 'Olive Operator', email: 'operator@example.test', password: PASSWORD };
  await postWelcome(new TenantClient({ origin, tenant: slug, identity: {} }), { name: 'Operators', slug, person });
  return enterWorkspace(origin, slug, person);
}

/** A new tenant on the server whose operator `createOperator` made. */
export async function createWorkspace(origin: string, name = 'Harbour School'): Promise<Workspace> {
  const slug = `t-${randomBytes(5).toString('hex')}`;
  const owner = { name: 'Ines Owner', email: `owner@${slug}.test`, password: PASSWORD };
  await postWelcome(operatorApi(origin), { name, slug, person: owner });
  return enterWorkspace(origin, slug, owner);
}

/** The workspace of a person who may manage it. */
async function enterWorkspace(origin: string, slug: string, owner: Person): Promise<Workspace> {
  const apiOf = async (person: Person) => new TenantClient({ origin, tenant: slug, identity: await signIn(origin, person) });
  const ownerApi = await apiOf(owner);
  const createKey = async (scopes: readonly string[], expiresAt?: string) => {
    const { apiKey, key } = await ownerApi.post('/api-keys', { name: 'test', scopes, ...(expiresAt && { expiresAt }) }, createApiKeyResult);
    return { id: apiKey.id, key };
  };
  return {
    slug,
    owner,
    ownerApi,
    api: ownerApi.with({ identity: bearer((await createKey(PERMISSIONS)).key) }),
    apiOf,
    createKey,
    async addPerson(roleKey) {
      const person = { name: `Robin ${roleKey}`, email: `${roleKey}-${randomBytes(3).toString('hex')}@${slug}.test`, password: PASSWORD };
      const member: MemberView = await ownerApi.post('/members', { ...person, roleKey }, memberView);
      return { ...person, userId: member.userId };
    },
  };
}

/** Asks as the operator whom `createOperator` made, outside any tenant. */
export function operatorApi(origin: string): TenantClient {
  const identity = operatorHeaders.parse(JSON.parse(readFileSync(operatorFile(), 'utf8')));
  return new TenantClient({ origin, tenant: 'operators', identity });
}

export function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

async function postWelcome(api: TenantClient, workspace: { name: string; slug: string; person: Person }): Promise<void> {
  await api.post('/api/welcome', workspace, createWorkspaceResult);
}
