/**
 * Compiles a schema's `pattern` if it cannot run away: at most three unbounded repetitions, and none of a group. Schemas
 * come from plugins and other servers, and the planner tries their patterns on what people write. null for any other.
 */
export function compileSafePattern(pattern: string): RegExp | null {
  if (pattern.length > 200 || !isSafePattern(pattern)) return null;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // No regular expression at all: nothing can match it.
    return null;
  }
}

/** Whether matching takes time in proportion to a low power of the text's length at worst. */
export function isSafePattern(pattern: string): boolean {
  const bare = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  const repetitions = bare.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  return repetitions <= 3 && !/\)(?:[*+]|\{\d*,?\d*\})/.test(bare) && !/\(\?<?[=!]/.test(bare);
}
