/** What the usage is shown by, and over how many days; both stand in the address. */
export interface UsageFilters {
  by: 'model' | 'scene' | 'person' | 'day';
  days: number;
}

export const USAGE_BY = ['model', 'scene', 'person', 'day'] as const;
export const USAGE_DAYS = [7, 30, 90] as const;
const STANDARD: UsageFilters = { by: 'model', days: 30 };

/** Anything else in the address counts as not said. */
export function readUsageFilters(search: Readonly<Record<string, string | string[] | undefined>>): UsageFilters {
  return {
    by: USAGE_BY.find((by) => by === search.by) ?? STANDARD.by,
    days: USAGE_DAYS.find((days) => String(days) === search.days) ?? STANDARD.days,
  };
}

export function writeUsageFilters({ by, days }: UsageFilters): string {
  return `?by=${by}&days=${days}`;
}

/** Every day from the first to the last, as `2026-11-30`. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${from}T00:00:00Z`); at <= Date.parse(`${to}T00:00:00Z`); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

const DAY_MS = 24 * 60 * 60 * 1000;
