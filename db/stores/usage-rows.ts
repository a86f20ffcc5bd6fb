import type { Row, Sql, TransactionSql } from 'postgres';
import { z } from 'zod';
import type { UsageView } from '#lib/conversations/index.ts';

const usageRow = z.object({
  run_id: z.string(),
  input_tokens: z.coerce.number(),
  cached_input_tokens: z.coerce.number(),
  cache_write_tokens: z.coerce.number(),
  output_tokens: z.coerce.number(),
  reasoning_tokens: z.coerce.number(),
  is_estimated: z.boolean(),
  is_concise: z.boolean(),
  cost_micros: z.coerce.number().nullable(),
  currency: z.string().nullable(),
  models: z.array(z.string()),
});

/** The columns of usage over the model calls of each run; a cost only where every call has one, in one currency. */
export const USAGE_COLUMNS = `
  run_id, sum(input_tokens) as input_tokens, sum(cached_input_tokens) as cached_input_tokens, sum(cache_write_tokens) as cache_write_tokens,
  sum(output_tokens) as output_tokens, sum(reasoning_tokens) as reasoning_tokens, bool_or(is_estimated) as is_estimated,
  coalesce(bool_or((context->>'isConcise')::boolean), false) as is_concise,
  case when count(*) = count(cost_micros) and count(distinct currency) = 1 then sum(cost_micros) end as cost_micros,
  min(currency) as currency, array_agg(distinct model) as models`;

export function usageOfRun(tx: Sql | TransactionSql, tenantUuid: string, runUuid: string) {
  return tx`select ${tx.unsafe(USAGE_COLUMNS)} from model_call where tenant_id = ${tenantUuid} and run_id = ${runUuid} group by run_id`;
}

export function toUsage(row: Row | undefined): UsageView | null {
  if (!row) return null;
  const usage = usageRow.parse(row);
  const classes = {
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    cacheWriteTokens: usage.cache_write_tokens,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.reasoning_tokens,
  };
  return {
    ...classes,
    totalTokens: Object.values(classes).reduce((sum, tokens) => sum + tokens, 0),
    isEstimated: usage.is_estimated,
    ...(usage.is_concise && { isConcise: true }),
    cost: usage.cost_micros !== null && usage.currency ? { micros: usage.cost_micros, currency: usage.currency } : null,
    models: usage.models,
  };
}
