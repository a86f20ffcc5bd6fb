import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { ModelUsageView, ModelUseRow, ToolUsageView, UsageQuery } from './contract.ts';
import { type CsvCell, csvRow } from './domain/csv.ts';
import type { ViewDependencies } from './ports.ts';

type UsageDependencies = { readonly unitOfWork: ViewDependencies['unitOfWork'] };

/** What models used, by model, purpose, person or day (requirement H-31). */
export async function viewModelUsage({ unitOfWork }: UsageDependencies, actor: Actor, query: UsageQuery): Promise<ModelUsageView> {
  requirePermission(actor, 'budget:read');
  return unitOfWork.within(actor.scope, ({ usage }) => usage.readModels(query));
}

/** The same as a table. Costs in a second currency stand in a column of their own: no sum mixes currencies. */
export async function exportModelUsage(
  dependencies: UsageDependencies,
  actor: Actor,
  query: UsageQuery,
): Promise<{ fileName: string; text: string }> {
  const { by, from, to, items } = await viewModelUsage(dependencies, actor, query);
  return { fileName: `usage-by-${by}-${from}-${to}.csv`, text: csvRow([by, ...COLUMNS]) + items.map(toCsv).join('') };
}

/** How often tools were called, for how long, and how that ended (requirement H-31). */
export async function viewToolUsage(
  { unitOfWork }: UsageDependencies,
  actor: Actor,
  query: Pick<UsageQuery, 'days'>,
): Promise<ToolUsageView> {
  requirePermission(actor, 'budget:read');
  return unitOfWork.within(actor.scope, ({ usage }) => usage.readTools(query));
}

const COLUMNS = [
  'name',
  'calls',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'total_tokens',
  'estimated_calls',
  'unpriced_calls',
  'cost_micros',
  'currency',
  'other_costs',
];

function toCsv({ key, name, costs, ...use }: ModelUseRow): string {
  const [first, ...others] = costs;
  const figures: CsvCell[] = [
    use.calls,
    use.inputTokens,
    use.cachedInputTokens,
    use.cacheWriteTokens,
    use.outputTokens,
    use.reasoningTokens,
    use.totalTokens,
    use.estimatedCalls,
    use.unpricedCalls,
  ];
  const rest = others.map(({ currency, micros }) => `${micros} ${currency}`).join('; ');
  return csvRow([key, name, ...figures, first?.micros ?? null, first?.currency ?? null, rest]);
}
