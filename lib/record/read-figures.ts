import type { Clock } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { FiguresPeriod, FiguresView } from './contract.ts';
import type { FiguresReader } from './ports.ts';

const DAY_MS = 86_400_000;
const DAYS: { readonly [Period in FiguresPeriod]: number } = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 };

/**
 * What the workspace's runs came to in the days before now: which tool is slow, which model is dear, where runs stand still
 * (requirements H-31, H-32). Throws `permission_denied`.
 */
export async function readFigures(
  { figures, clock }: { figures: FiguresReader; clock: Clock },
  actor: Actor,
  { period }: { period: FiguresPeriod },
): Promise<FiguresView> {
  requirePermission(actor, 'metrics:read');
  const to = clock.now();
  const from = new Date(to.getTime() - DAYS[period] * DAY_MS);
  return { period, from: from.toISOString(), to: to.toISOString(), ...(await figures.read(actor.scope, { from, to })) };
}
