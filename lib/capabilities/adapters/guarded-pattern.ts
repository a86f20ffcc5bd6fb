import vm from 'node:vm';
import { isSafePattern } from '../domain/safe-pattern.ts';

/** What Ajv needs of a regular expression; it tells patterns apart by `toString`. */
export interface GuardedPattern {
  test(text: string): boolean;
  toString(): string;
}

/** No pattern that is meant well takes longer. */
const TIME_LIMIT_MS = 50;

/**
 * A regular expression that cannot hang the process: one with nested repetition is stopped after 50 ms, and `test` throws.
 * Schemas come from plugins and other servers, and what they are tried on from models and people.
 */
export function createGuardedPattern(source: string, flags: string): GuardedPattern {
  const expression = new RegExp(source, flags);
  if (isSafePattern(source)) return expression;
  return {
    test(text) {
      const found: unknown = TEST.runInNewContext({ expression, text }, { timeout: TIME_LIMIT_MS });
      return found === true;
    },
    toString: () => expression.toString(),
  };
}

const TEST = new vm.Script('expression.test(text)');
