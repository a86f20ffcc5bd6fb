import { randomBytes } from 'node:crypto';
import { openDatabase } from '#db/client.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { startBoundary } from '#lib/composition/boundary.ts';
import { composeTenancy } from '#lib/composition/tenancy.ts';
import { readConfig } from '#lib/config/index.ts';
import { AppError, type Clock, type Id, systemClock } from '#lib/kernel/index.ts';
import { setLogLevel } from '#lib/telemetry/index.ts';
import type { Actor, BuiltInRole } from '#lib/tenancy/index.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface Person {
  readonly userId: Id<'user'>;
  readonly email: string;
  readonly password: string;
}

const PASSWORD = 'correct horse battery';
const SENDER = { ip: '192.0.2.1', userAgent: 'test' };

/** Tenants with people, in a database of the test's own, or a migrated one that is given, wired as the product wires them. `clock` can be set on. */
export async function createTenancyWorld(environment: Record<string, string> = {}, given?: TestDatabase) {
  const testDatabase = given ?? (await createTestDatabase());
  const config = readConfig({
    DATABASE_URL: testDatabase.databaseUrl,
    BAILIWICK_SECRET: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'silent',
    DEMO: '1',
    ...environment,
  });
  const clock = settableClock();
  const database = openDatabase({ databaseUrl: config.databaseUrl, role: 'bailiwick_app', max: 5, name: 'test' });
  const owner = openDatabase({ databaseUrl: config.databaseUrl, role: 'owner', max: 2, name: 'test owner' });
  const unitOfWork = createUnitOfWork(database.orm, clock);
  const tenancy = composeTenancy({ config, clock, database, unitOfWork });
  startBoundary({ config, unitOfWork, tenancy });
  setLogLevel('silent');

  const signIn = (person: Person) => tenancy.signInWithPassword({ email: person.email, password: person.password }, SENDER);
  const actorOf = async (slug: string, person: Person): Promise<Actor> =>
    tenancy.resolveActor(slug, { kind: 'sign-in', ...(await signIn(person)) });
  let operator: Person | null = null;

  return {
    config,
    clock,
    database,
    /** Past row-level security where a superuser owns the database: to look at what was written, never to set a scene. */
    owner: owner.sql,
    unitOfWork,
    tenancy,
    sender: SENDER,
    signIn,
    actorOf,

    /** A workspace with its owner; the first owner is the operator. */
    async addTenant(slug: string): Promise<{ slug: string; tenantId: Id<'tenant'>; owner: Person; actor: Actor }> {
      const email = `owner@${slug}.test`;
      const account = operator ? await tenancy.getAccount({ kind: 'sign-in', ...(await signIn(operator)) }) : null;
      await tenancy.createWorkspace(
        { name: slug, slug, person: { name: `Owner of ${slug}`, email, password: PASSWORD } },
        { isTrusted: true, account },
      );
      const signedIn = await tenancy.signInWithPassword({ email, password: PASSWORD }, SENDER);
      const person = { userId: signedIn.userId, email, password: PASSWORD };
      operator ??= person;
      const actor = await tenancy.resolveActor(slug, { kind: 'sign-in', ...signedIn });
      return { slug, tenantId: actor.scope.tenantId, owner: person, actor };
    },

    async addPerson(
      by: Actor,
      roleKey: BuiltInRole | (string & {}),
      email = `${roleKey}-${randomBytes(3).toString('hex')}@example.test`,
    ): Promise<Person> {
      const { userId } = await tenancy.addMember(by, { email, name: `The ${roleKey}`, password: PASSWORD, roleKey });
      return { userId: userId as Id<'user'>, email, password: PASSWORD };
    },

    async close(): Promise<void> {
      await Promise.all([database.close(), owner.close()]);
      await testDatabase.drop();
    },
  };
}

export type TenancyWorld = Awaited<ReturnType<typeof createTenancyWorld>>;

/** The code of the error that `work` throws; fails the test when it throws none. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function settableClock(): Clock & { advance(ms: number): void } {
  let offsetMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    advance: (ms) => {
      offsetMs += ms;
    },
  };
}
