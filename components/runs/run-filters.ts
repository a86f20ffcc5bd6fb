import { createLoader, createSerializer, parseAsArrayOf, parseAsFloat, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { type RunListQuery, type RunState, runState } from '#lib/supervisor/contract.ts';
import { endOfDay, isDay, startOfDay } from './calendar-day.ts';

export const RUN_PATHS = ['deterministic', 'llm'] as const;

/** What the list of runs can be narrowed by; the address is where it is kept, so that a link carries it. */
export const runFilterParsers = {
  state: parseAsArrayOf(parseAsStringLiteral(runState.options)),
  q: parseAsString,
  preset: parseAsString,
  capability: parseAsString,
  actor: parseAsString,
  path: parseAsStringLiteral(RUN_PATHS),
  /** In seconds. */
  minTook: parseAsFloat,
  maxTook: parseAsFloat,
  /** In the currency the run was paid in. */
  minCost: parseAsFloat,
  maxCost: parseAsFloat,
  /** A day as `2026-03-01`, in the reader's time zone; `to` is included. */
  from: parseAsString,
  to: parseAsString,
  cursor: parseAsString,
};

export interface RunFilters {
  state: RunState[] | null;
  q: string | null;
  preset: string | null;
  capability: string | null;
  actor: string | null;
  path: (typeof RUN_PATHS)[number] | null;
  minTook: number | null;
  maxTook: number | null;
  minCost: number | null;
  maxCost: number | null;
  from: string | null;
  to: string | null;
  cursor: string | null;
}

export const readRunFilters = createLoader(runFilterParsers);
export const writeRunFilters = createSerializer(runFilterParsers);

const PAGE_SIZE = 50;
const SECOND_MS = 1000;
const HIGHEST = 1e9;

function isAmount(value: number | null): value is number {
  return value !== null && value >= 0 && value <= HIGHEST;
}

/** The query that filters stand for. A day that is none is no filter. */
export function toRunListQuery(filters: RunFilters, timeZone: string): RunListQuery {
  const { state, q, preset, capability, actor, path, minTook, maxTook, minCost, maxCost, from, to, cursor } = filters;
  return {
    limit: PAGE_SIZE,
    ...(state && state.length > 0 ? { state } : {}),
    ...(q?.trim() ? { q: q.trim().slice(0, 200) } : {}),
    ...(preset ? { preset } : {}),
    ...(capability ? { capability } : {}),
    ...(actor ? { actor } : {}),
    ...(path ? { path } : {}),
    ...(isAmount(minTook) ? { minMs: Math.round(minTook * SECOND_MS) } : {}),
    ...(isAmount(maxTook) ? { maxMs: Math.round(maxTook * SECOND_MS) } : {}),
    ...(isAmount(minCost) ? { minCost } : {}),
    ...(isAmount(maxCost) ? { maxCost } : {}),
    ...(from && isDay(from) ? { from: startOfDay(from, timeZone).toISOString() } : {}),
    ...(to && isDay(to) ? { to: endOfDay(to, timeZone).toISOString() } : {}),
    ...(cursor ? { cursor } : {}),
  };
}

/** The same query for the API. */
export function toSearchParams(query: RunListQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) parameters.append(name, String(item));
  }
  return parameters;
}

/** Whether anything is narrowed; the place in the list is not a filter. */
export function isFiltered({ cursor: _cursor, ...filters }: RunFilters): boolean {
  return Object.values(filters).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)));
}
