import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres';
import type { EngineTransaction } from '#lib/durable/index.ts';

/**
 * A postgres.js transaction in the shape of a `pg` client, for the engine to enqueue in. `sent`: statements whose answers
 * nobody has waited for yet.
 */
export function toEngineTransaction(
  transaction: Sql | TransactionSql,
): EngineTransaction & { readonly sent: readonly PendingQuery<Row[]>[] } {
  // The engine's texts never change: prepared, each costs one round trip instead of two.
  const run = (text: string, values: unknown[]) => transaction.unsafe<Row[]>(text, values as never[], { prepare: true });
  const sent: PendingQuery<Row[]>[] = [];
  return {
    sent,
    send: (text, values) => void sent.push(run(text, values)),
    async query(query, values) {
      const text = typeof query === 'string' ? query : query.text;
      const given = values ?? (typeof query === 'string' ? [] : (query.values ?? []));
      const rows = await run(text, given);
      return { rows: [...rows], rowCount: rows.count };
    },
  };
}
