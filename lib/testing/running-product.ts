import type { Sql } from 'postgres';
import { openDatabase } from '#db/client.ts';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { passwordHasher } from '#lib/auth/index.ts';
import { type Id, newId, systemClock, toUuid } from '#lib/kernel/index.ts';
import { BUILT_IN_ROLES, type BuiltInRole } from '#lib/tenancy/index.ts';
import { foundTenant } from '../tenancy/found-tenant.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
}

const PASSWORD = 'correct horse battery';

/** The database of a running product, as its owner: to set scenes that the API has no request for. */
export function openRunningProduct(databaseUrl: string) {
  const database = openDatabase({ databaseUrl, role: 'owner', max: 2, name: 'end-to-end test' });
  const unitOfWork = createUnitOfWork(database.orm, systemClock);
  return {
    sql: database.sql,
    close: () => database.close(),

    /** A tenant with a person of each built-in role. Nobody becomes an operator by it. */
    async addTenant(slug: string): Promise<{ tenantId: Id<'tenant'>; slug: string; people: Readonly<Record<BuiltInRole, Account>> }> {
      const passwordHash = await passwordHasher.hash(PASSWORD);
      const emailOf = (role: BuiltInRole) => `${role}@${slug}.test`;
      const { id } = await foundTenant(
        { unitOfWork },
        {
          slug,
          name: slug,
          isDemo: false,
          founders: BUILT_IN_ROLES.map((role) => ({
            role,
            account: { email: emailOf(role), name: `${role} of ${slug}`, passwordHash, isOperator: false },
          })),
        },
      );
      const account = (role: BuiltInRole): Account => ({ email: emailOf(role), password: PASSWORD });
      const people = {
        owner: account('owner'),
        admin: account('admin'),
        builder: account('builder'),
        auditor: account('auditor'),
        member: account('member'),
      };
      return { tenantId: id, slug, people };
    },

    /** A run that waits for its person's answer: its streams stay open. */
    addWaitingRun: (run: { tenantId: Id<'tenant'>; email: string }) => insertWaitingRun(database.sql, run),
  };
}

async function insertWaitingRun(
  sql: Sql,
  { tenantId, email }: { tenantId: Id<'tenant'>; email: string },
): Promise<{
  runId: Id<'run'>;
  sessionId: Id<'session'>;
  messageId: Id<'message'>;
  questionId: Id<'question'>;
  invocationId: Id<'invocation'>;
}> {
  const ids = {
    sessionId: newId('session'),
    runId: newId('run'),
    messageId: newId('message'),
    questionId: newId('question'),
    invocationId: newId('invocation'),
  };
  const tenant_id = toUuid(tenantId);
  const session_id = toUuid(ids.sessionId);
  const run_id = toUuid(ids.runId);
  await sql.begin(async (tx) => {
    await tx`select set_config('app.tenant_id', ${tenant_id}, true)`;
    const [person] = await tx`select id from app_user where email = ${email}`;
    const user_id = String(person?.id);
    await tx`insert into agent_session ${tx({ tenant_id, id: session_id, user_id, preset: 'default', state: 'WAITING_USER', title: 'Waits', checkpoint_thread_id: session_id })}`;
    await tx`insert into run ${tx({ tenant_id, id: run_id, session_id, user_id, message_id: toUuid(ids.messageId), preset: 'default', input: 'wait', locale: 'en', time_zone: 'UTC', state: 'WAITING', event_seq: 1, time_limit_ms: 300_000 })}`;
    await tx`insert into message ${tx({ tenant_id, id: toUuid(ids.messageId), session_id, run_id, role: 'user', text: 'wait', state: 'complete' })}`;
    await tx`insert into run_event ${tx({ tenant_id, run_id, seq: 1, type: 'UserPromptSubmitted', payload: tx.json({ messageId: ids.messageId, text: 'wait' }) })}`;
    await tx`insert into invocation ${tx({ tenant_id, id: toUuid(ids.invocationId), run_id, path: 'deterministic_pipeline/0', step: 0, capability_id: 'core.echo', capability_version: '1.0.0', state: 'EXECUTING', attempt: 1, arguments: tx.json({ text: 'wait' }), arguments_hash: '0'.repeat(64), idempotency_key: `${ids.runId}:deterministic_pipeline/0` })}`;
    await tx`insert into question ${tx({ tenant_id, id: toUuid(ids.questionId), run_id, kind: 'unknown-outcome', text: 'It may have run.', options: tx.json([{ value: 'retry', label: 'Run it again' }]), state: 'OPEN' })}`;
  });
  return ids;
}

export type RunningProduct = ReturnType<typeof openRunningProduct>;
