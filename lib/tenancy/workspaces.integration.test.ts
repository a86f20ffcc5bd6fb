import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';
import { DEMO_PEOPLE } from './domain/demo.ts';

let world: TenancyWorld;
beforeEach(async () => {
  world = await createTenancyWorld();
});
afterEach(() => world.close());

const PASSWORD = 'correct horse battery';
const workspace = (slug: string, email = `first@${slug}.test`) => ({
  name: 'A place',
  slug,
  person: { name: 'First', email, password: PASSWORD },
});
const trusted = { isTrusted: true, account: null };
const stranger = { isTrusted: false, account: null };
const accountOf = async (email: string): Promise<Account> =>
  world.tenancy.getAccount({ kind: 'sign-in', ...(await world.tenancy.signInWithPassword({ email, password: PASSWORD }, world.sender)) });

describe('the first workspace', () => {
  it('makes its person owner and operator, with the built-in roles and on the record', async () => {
    expect(await world.tenancy.getWelcome(trusted)).toEqual({ canCreate: true, needsSetupCode: false, canOpenDemo: false, demoSlug: null });
    expect(await world.tenancy.createWorkspace(workspace('acme'), trusted)).toEqual({ slug: 'acme' });
    const account = await accountOf('first@acme.test');
    expect(account.isOperator).toBe(true);
    const actor = await world.tenancy.resolveActor('acme', { kind: 'sign-in', ...account });
    expect(actor.roleKey).toBe('owner');
    const { items } = await world.tenancy.listAuditEvents(actor, { limit: 50 });
    expect(items.at(-1)).toMatchObject({ type: 'tenant.created', actor: { kind: 'user', id: account.userId }, details: { slug: 'acme' } });
    expect(await world.tenancy.getMe(actor)).toMatchObject({
      user: { isOperator: true },
      tenant: { slug: 'acme', isDemo: false },
      tenants: [{ slug: 'acme' }],
    });
  });

  it('needs the setup code from anywhere but the machine itself, and takes it once', async () => {
    expect((await world.tenancy.getWelcome(stranger)).needsSetupCode).toBe(true);
    const [first, second] = [await world.tenancy.issueSetupCode(), await world.tenancy.issueSetupCode()];
    if (!first || !second) throw new Error('no code');
    expect(first).not.toBe(second);
    for (const setupCode of [undefined, '', 'guess', `${first}0`]) {
      expect(
        await codeOf(world.tenancy.createWorkspace({ ...workspace('acme'), ...(setupCode === undefined ? {} : { setupCode }) }, stranger)),
      ).toBe('invalid_setup_code');
    }
    const [left] = await world.owner`select (select count(*) from tenant)::int as tenants, (select count(*) from app_user)::int as people`;
    expect(left).toEqual({ tenants: 0, people: 0 });
    // Typed from a screen: capitals and spaces do not matter.
    await world.tenancy.createWorkspace({ ...workspace('acme'), setupCode: ` ${first.toUpperCase()} ` }, stranger);
    expect(await codeOf(world.tenancy.createWorkspace({ ...workspace('late'), setupCode: second }, stranger))).toBe('permission_denied');
    expect(await world.tenancy.issueSetupCode()).toBeNull();
    const [setting] = await world.owner`select value from platform_setting`;
    expect(JSON.stringify(setting)).not.toContain(first);
  });

  it('ends every setup code for good, even if its operator is shut out later', async () => {
    const [used, kept] = [await world.tenancy.issueSetupCode(), await world.tenancy.issueSetupCode()];
    if (!used || !kept) throw new Error('no code');
    await world.tenancy.createWorkspace({ ...workspace('acme'), setupCode: used }, stranger);
    await world.owner`update app_user set disabled_at = now()`;
    for (const setupCode of [used, kept])
      expect(await codeOf(world.tenancy.createWorkspace({ ...workspace('late'), setupCode }, stranger))).toBe('invalid_setup_code');
  });

  it('is one of two that are asked for at the same moment', async () => {
    const outcomes = await Promise.allSettled([
      world.tenancy.createWorkspace(workspace('one'), trusted),
      world.tenancy.createWorkspace(workspace('two'), trusted),
    ]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
    const [row] = await world.owner`select count(*)::int as operators from app_user where is_operator`;
    expect(row?.operators).toBe(1);
  });
});

describe('a further workspace', () => {
  beforeEach(() => world.tenancy.createWorkspace(workspace('acme'), trusted));

  it('is the operator’s to make, for someone else or an account that exists', async () => {
    const operator = await accountOf('first@acme.test');
    await world.tenancy.createWorkspace(workspace('second'), { isTrusted: false, account: operator });
    const other = await accountOf('first@second.test');
    expect(other.isOperator).toBe(false);
    expect(await codeOf(world.tenancy.resolveActor('second', { kind: 'sign-in', ...operator }))).toBe('not_found');
    await world.tenancy.createWorkspace(workspace('third', 'first@second.test'), { isTrusted: false, account: operator });
    expect((await world.tenancy.listTenants(other)).map(({ slug }) => slug)).toEqual(['second', 'third']);
  });

  it('is nobody else’s, whether they sit at the machine or own a workspace', async () => {
    expect(await codeOf(world.tenancy.createWorkspace(workspace('mine'), trusted))).toBe('permission_denied');
    const operator = await accountOf('first@acme.test');
    await world.tenancy.createWorkspace(workspace('second'), { isTrusted: false, account: operator });
    const owner = await accountOf('first@second.test');
    expect(await codeOf(world.tenancy.createWorkspace(workspace('mine'), { isTrusted: true, account: owner }))).toBe('permission_denied');
    expect((await world.tenancy.getWelcome({ isTrusted: true, account: owner })).canCreate).toBe(false);
    expect((await world.tenancy.getWelcome({ isTrusted: false, account: operator })).canCreate).toBe(true);
  });

  it('has an address of its own, which no page of the product has', async () => {
    const sender = { isTrusted: true, account: await accountOf('first@acme.test') };
    for (const slug of ['acme', 'api', 'sign-in', 'welcome', 'account', 'operator', 'invite', 'a2a', 'demo']) {
      expect(await codeOf(world.tenancy.createWorkspace(workspace(slug, 'new@person.test'), sender))).toBe('slug_taken');
    }
    const [row] = await world.owner`select count(*)::int as people from app_user`;
    expect(row?.people).toBe(1);
  });
});

describe('the demo tenant', () => {
  it('is made once, with a person of each role, and opens with the password it is given', async () => {
    const first = await world.tenancy.ensureDemoTenant({ password: PASSWORD });
    expect(first).toMatchObject({ slug: 'demo', email: 'demo@example.com', isNew: true });
    expect(await world.tenancy.ensureDemoTenant({ password: PASSWORD })).toMatchObject({ tenantId: first?.tenantId, isNew: false });
    for (const { email, role } of DEMO_PEOPLE) {
      expect((await world.tenancy.resolveActor('demo', { kind: 'sign-in', ...(await accountOf(email)) })).roleKey).toBe(role);
    }
    await world.tenancy.ensureDemoTenant({ password: 'a password that is new' });
    expect(await codeOf(world.tenancy.signInWithPassword({ email: 'demo@example.com', password: PASSWORD }, world.sender))).toBe(
      'invalid_credentials',
    );
    expect(
      await world.tenancy.signInWithPassword({ email: 'demo@example.com', password: 'a password that is new' }, world.sender),
    ).toBeTruthy();
  });

  it('comes back after it was deleted, with its people, once what it held is gone', async () => {
    const first = await world.tenancy.ensureDemoTenant({ password: PASSWORD });
    const owner = await world.tenancy.resolveActor('demo', { kind: 'sign-in', ...(await accountOf('demo@example.com')) });
    await world.tenancy.deleteTenant(owner, { confirm: 'demo' });
    expect(await world.tenancy.ensureDemoTenant({ password: PASSWORD })).toBeNull();
    await world.owner`delete from tenant where slug = 'demo'`;
    const second = await world.tenancy.ensureDemoTenant({ password: PASSWORD });
    expect(second).toMatchObject({ isNew: true });
    expect(second?.tenantId).not.toBe(first?.tenantId);
    for (const { email, role } of DEMO_PEOPLE)
      expect((await world.tenancy.resolveActor('demo', { kind: 'sign-in', ...(await accountOf(email)) })).roleKey).toBe(role);
  });

  it('takes nothing from the first workspace: its people are no operators', async () => {
    await world.tenancy.ensureDemoTenant({ password: PASSWORD });
    expect(await world.tenancy.getWelcome(trusted)).toEqual({
      canCreate: true,
      needsSetupCode: false,
      canOpenDemo: true,
      demoSlug: 'demo',
    });
    expect(await world.tenancy.getWelcome(stranger)).toEqual({ canCreate: true, needsSetupCode: true, canOpenDemo: false, demoSlug: null });
    expect(await codeOf(world.tenancy.createWorkspace(workspace('sly', 'demo@example.com'), trusted))).toBe('email_taken');
    await world.tenancy.createWorkspace(workspace('acme'), trusted);
    expect((await accountOf('first@acme.test')).isOperator).toBe(true);
  });

  it('opens without a password to whoever sits at the machine, and to nobody else', async () => {
    const open = (isTrusted: boolean) => world.tenancy.signInToDemo({ ...world.sender, isTrusted });
    expect(await codeOf(open(true))).toBe('not_found');
    await world.tenancy.ensureDemoTenant({ password: PASSWORD });
    expect(await codeOf(open(false))).toBe('not_found');
    const actor = await world.tenancy.resolveActor('demo', { kind: 'sign-in', ...(await open(true)) });
    expect(actor.roleKey).toBe('owner');
  });
});
