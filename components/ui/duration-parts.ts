export type DurationParts =
  | { unit: 'ms'; value: number }
  | { unit: 's'; value: number }
  | { unit: 'min'; minutes: number; seconds: number }
  | { unit: 'h'; hours: number; minutes: number };

/** Splits a length of time at the precision a person cares for: whole ms, tenths of a second, seconds, minutes. */
export function durationParts(milliseconds: number): DurationParts {
  const ms = Math.max(0, milliseconds);
  if (ms < 999.5) return { unit: 'ms', value: Math.round(ms) };
  if (ms < 59_950) return { unit: 's', value: Math.round(ms / 100) / 10 };
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return { unit: 'min', minutes: Math.floor(seconds / 60), seconds: seconds % 60 };
  const minutes = Math.round(seconds / 60);
  return { unit: 'h', hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}
