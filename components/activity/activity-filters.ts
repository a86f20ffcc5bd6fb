import { createLoader, createSerializer, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { endOfDay, isDay, startOfDay } from '#components/runs/calendar-day.ts';
import { type AuditQuery, auditKind } from '#lib/audit/contract.ts';

export const VIAS = ['ui', 'api', 'agent'] as const;

/** What the activity can be narrowed by; the address is where it is kept, so that a link carries it. */
export const activityParsers = {
  kind: parseAsStringLiteral(auditKind.options),
  type: parseAsString,
  actor: parseAsString,
  target: parseAsString,
  run: parseAsString,
  via: parseAsStringLiteral(VIAS),
  /** A day as `2026-03-01`, in the reader's time zone; `to` is included. */
  from: parseAsString,
  to: parseAsString,
  cursor: parseAsString,
};

export const readActivityFilters = createLoader(activityParsers);
export const writeActivityFilters = createSerializer(activityParsers);
export type ActivityFilters = Awaited<ReturnType<typeof readActivityFilters>>;

const PAGE_SIZE = 50;

/** The query that filters stand for. A day that is none is no filter. */
export function toAuditQuery(filters: ActivityFilters, timeZone: string): AuditQuery {
  const { kind, type, actor, target, run, via, from, to, cursor } = filters;
  return {
    limit: PAGE_SIZE,
    ...(kind ? { kind } : {}),
    ...(type ? { type } : {}),
    ...(actor ? { actor } : {}),
    ...(target ? { target } : {}),
    ...(run ? { run } : {}),
    ...(via ? { via } : {}),
    ...(from && isDay(from) ? { from: startOfDay(from, timeZone).toISOString() } : {}),
    ...(to && isDay(to) ? { to: endOfDay(to, timeZone).toISOString() } : {}),
    ...(cursor ? { cursor } : {}),
  };
}

export function isNarrowed({ cursor: _cursor, ...filters }: ActivityFilters): boolean {
  return Object.values(filters).some((value) => value !== null && value !== '');
}
