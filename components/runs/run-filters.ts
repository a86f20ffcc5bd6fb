import { createLoader, createSerializer, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { type RunListQuery, type RunState, runState } from '#lib/supervisor/contract.ts';
import { endOfDay, isDay, startOfDay } from './calendar-day.ts';

/** What the list of runs can be narrowed by; the address is where it is kept, so that a link carries it. */
export const runFilterParsers = {
  state: parseAsArrayOf(parseAsStringLiteral(runState.options)),
  q: parseAsString,
  preset: parseAsString,
  capability: parseAsString,
  actor: parseAsString,
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
  from: string | null;
  to: string | null;
  cursor: string | null;
}

export const readRunFilters = createLoader(runFilterParsers);
export const writeRunFilters = createSerializer(runFilterParsers);

const PAGE_SIZE = 50;

/** The query that filters stand for. A day that is none is no filter. */
export function toRunListQuery(filters: RunFilters, timeZone: string): RunListQuery {
  const { state, q, preset, capability, actor, from, to, cursor } = filters;
  return {
    limit: PAGE_SIZE,
    ...(state && state.length > 0 ? { state } : {}),
    ...(q?.trim() ? { q: q.trim().slice(0, 200) } : {}),
    ...(preset ? { preset } : {}),
    ...(capability ? { capability } : {}),
    ...(actor ? { actor } : {}),
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
