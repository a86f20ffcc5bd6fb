import type { ModelMessage } from 'ai';
import postgres, { type JSONValue } from 'postgres';

export interface TurnStore {
  readHistory(sessionId: string): Promise<ModelMessage[]>;
  save(entry: {
    sessionId: string;
    run: string;
    messages: readonly ModelMessage[];
    event: string;
    detail: object;
    audit: string | null;
  }): Promise<void>;
}

const TENANT = '00000000-0000-4000-8000-000000000001';

/** Plain inserts, one transaction a step: messages, an event and an audit row; no row-level security, nothing durable runs. */
export async function openTurnStore(databaseUrl: string): Promise<TurnStore> {
  const sql = postgres(databaseUrl, { max: 20, onnotice: () => undefined });
  await sql.unsafe(`
    create table message (id bigint generated always as identity primary key, tenant uuid not null, session text not null, run text not null, body jsonb not null, at timestamptz not null default now());
    create index on message (tenant, session, id);
    create table event (id bigint generated always as identity primary key, tenant uuid not null, run text not null, kind text not null, body jsonb not null, at timestamptz not null default now());
    create index on event (run, id);
    create table audit (id bigint generated always as identity primary key, tenant uuid not null, actor text not null, action text not null, target text not null, at timestamptz not null default now());`);
  return {
    async readHistory(sessionId) {
      const rows = await sql<
        { body: ModelMessage }[]
      >`select body from message where tenant = ${TENANT} and session = ${sessionId} order by id`;
      return rows.map(({ body }) => body);
    },
    save: async ({ sessionId, run, messages, event, detail, audit }) => {
      await sql.begin(async (tx) => {
        if (messages.length > 0) {
          await tx`insert into message (tenant, session, run, body) select ${TENANT}, ${sessionId}, ${run}, item from jsonb_array_elements(${sql.json(messages as unknown as JSONValue)}) as item`;
        }
        await tx`insert into event (tenant, run, kind, body) values (${TENANT}, ${run}, ${event}, ${sql.json(detail as JSONValue)})`;
        if (audit) await tx`insert into audit (tenant, actor, action, target) values (${TENANT}, 'user', ${audit}, ${run})`;
      });
    },
  };
}
