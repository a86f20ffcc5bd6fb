import type { JsonObject } from '#lib/kernel/index.ts';

export type ParsedArguments =
  | { readonly ok: true; readonly arguments: JsonObject; readonly isRepaired: boolean }
  | { readonly ok: false; readonly message: string };

/**
 * Arguments as a model wrote them (requirement H-23): strict JSON, else repaired, else an error the model can act on. Many
 * models write nothing at all for a tool without parameters: that is an empty object.
 */
export function parseArguments(text: string, repair: (text: string) => string): ParsedArguments {
  if (text.trim() === '') return { ok: true, arguments: {}, isRepaired: false };
  const strict = tryParse(text);
  if (strict) return { ok: true, arguments: strict, isRepaired: false };
  const repaired = tryParse(tryRepair(text, repair));
  if (repaired) return { ok: true, arguments: repaired, isRepaired: true };
  return { ok: false, message: 'The arguments are not a JSON object. Write one object that matches the schema.' };
}

function tryParse(text: string | null): JsonObject | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

function tryRepair(text: string, repair: (text: string) => string): string | null {
  try {
    return repair(text);
  } catch {
    return null;
  }
}
