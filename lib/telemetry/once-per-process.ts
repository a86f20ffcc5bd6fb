/**
 * One value a process. Next gives each of its bundles a copy of every module, so a module-level constant would exist
 * several times: log context set by a route would be lost in the code that `instrumentation.ts` loaded.
 */
export function oncePerProcess<Value>(name: string, make: () => Value): Value {
  const key = Symbol.for(`bailiwick.${name}`);
  const held = globalThis as unknown as Record<symbol, Value | undefined>;
  held[key] ??= make();
  return held[key];
}
