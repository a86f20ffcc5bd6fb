/** Milliseconds of the machine's monotonic clock: comparable between the processes of one machine. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * What `nowMs()` must be added to for the time since 1970, to a few microseconds: the database's commit times are compared
 * with it. Waits for the next tick of the coarse clock, a millisecond at most.
 */
export function readWallOffsetMs(): number {
  const before = Date.now();
  let tick = before;
  while (tick === before) tick = Date.now();
  return tick - nowMs();
}
