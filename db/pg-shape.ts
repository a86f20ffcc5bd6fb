import type { Sql } from 'postgres';

/** A `pg` client as far as rate-limiter-flexible needs one, over postgres.js. */
export function toPgShape(sql: Sql) {
  return {
    async query({ text, values }: { text: string; values?: unknown[] }): Promise<{ rows: Record<string, unknown>[]; rowCount: number }> {
      const rows = await sql.unsafe(text, (values ?? []) as never[], { prepare: true });
      return { rows: [...rows], rowCount: rows.count };
    },
  };
}
