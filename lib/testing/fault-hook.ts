import { setFaultHook } from '#lib/kernel/index.ts';

/**
 * Kills this process the moment a named point is passed for the n-th time, as FAULT_POINT says: `invocation.effect-done:3`.
 * SIGKILL leaves no handler a chance, which is the point.
 */
export function armFaultPoint(setting: string): void {
  const [name, count = '1'] = setting.split(':');
  let left = Number(count);
  setFaultHook((passed) => {
    if (passed !== name) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  });
}
