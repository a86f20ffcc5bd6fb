import type { Sql, TransactionSql } from 'postgres';
import type { EngineTransaction } from '#lib/durable/index.ts';

/** A postgres.js transaction in the shape of a `pg` client, for the engine to enqueue in. */
export function toEngineTransaction(transaction: Sql | TransactionSql): EngineTransaction {
  return {
    async query(query, values) {
      const text = typeof query === 'string' ? query : query.text;
      const given = values ?? (typeof query === 'string' ? [] : (query.values ?? []));
      // The engine's texts never change: prepared, each costs one round trip instead of two.
      const rows = await transaction.unsafe(text, given as never[], { prepare: true });
      return { rows: [...rows], rowCount: rows.count };
    },
  };
}
