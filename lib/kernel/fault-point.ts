/**
 * Named places between "done" and "recorded" at which the crash script kills the process. Costs one comparison unless a
 * hook is set, which only `lib/testing` does.
 */
let hook: ((name: string) => void) | null = null;

export function faultPoint(name: string): void {
  if (hook) hook(name);
}

export function setFaultHook(next: ((name: string) => void) | null): void {
  hook = next;
}
