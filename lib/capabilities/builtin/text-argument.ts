import type { JsonObject } from '#lib/kernel/index.ts';

/** A text argument that has passed the schema; '' for one that is optional and absent. */
export function textArgument(args: JsonObject, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? value : '';
}
