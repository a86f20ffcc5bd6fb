const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** After so many failures in a row it is tried seldom: a limit for what only burns time. */
const PATIENCE = 8;
const SELDOM_MS = 300_000;

/** How long to wait before a server is connected to again after so many failures in a row. */
export function reconnectWaitMs(failures: number): number {
  if (failures <= 0) return 0;
  if (failures > PATIENCE) return SELDOM_MS;
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
}
