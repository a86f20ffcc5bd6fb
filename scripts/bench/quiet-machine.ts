import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from './clock.ts';
import { readMachineBusyMs, readTreeCpuMs } from './process-readings.ts';

export interface QuietMachine {
  /** Waits until other processes are quiet, as long as the patience lasts that all waits of a run share. */
  wait(): Promise<void>;
  /** Runs `work` and says how many cores other processes kept busy meanwhile. */
  watch<Result>(work: () => Promise<Result>): Promise<{ result: Result; otherLoad: number }>;
}

const LOOK_MS = 250;

/**
 * Watches what processes that this one did not start do to the machine: a figure taken beside a build is no figure.
 *
 * @param quietLoad cores that others may keep busy
 * @param patienceMs time that all waits may take together
 */
export function watchMachine({ quietLoad, patienceMs }: { quietLoad: number; patienceMs: number }): QuietMachine {
  let leftMs = patienceMs;
  return {
    watch,
    async wait() {
      while (leftMs > 0) {
        const { otherLoad } = await watch(() => sleep(LOOK_MS));
        if (otherLoad <= quietLoad) return;
        leftMs -= LOOK_MS;
      }
    },
  };
}

async function watch<Result>(work: () => Promise<Result>): Promise<{ result: Result; otherLoad: number }> {
  const busyBefore = readMachineBusyMs();
  const oursBefore = readTreeCpuMs(process.pid);
  const startMs = nowMs();
  const result = await work();
  const others = readMachineBusyMs() - busyBefore - (readTreeCpuMs(process.pid) - oursBefore);
  return { result, otherLoad: Math.max(0, others / (nowMs() - startMs)) };
}
