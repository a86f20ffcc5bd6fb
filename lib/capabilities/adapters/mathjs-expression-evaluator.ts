import { all, type BigNumber, create, type MathNode } from 'mathjs';
import type { Evaluation, ExpressionEvaluator } from '../builtin/ports.ts';

/** Nothing but these can be called: no `import`, no `evaluate`, no matrices, no assignment. */
const FUNCTIONS = new Set([
  'sqrt',
  'cbrt',
  'factorial',
  'abs',
  'log',
  'log10',
  'log2',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'exp',
  'round',
  'floor',
  'ceil',
  'sum',
  'mean',
  'max',
  'min',
  'gcd',
  'lcm',
]);
const CONSTANTS = new Set(['pi', 'e']);
const OPERATORS = new Set(['add', 'subtract', 'multiply', 'divide', 'pow', 'mod', 'unaryMinus', 'unaryPlus', 'factorial', 'percentage']);

const NODE_LIMIT = 200;
/** Decimal digits kept. Larger results are refused: every digit costs time. */
const PRECISION = 64;

/**
 * Arithmetic by mathjs, 64 decimal digits, with a list of what may stand in a formula checked on the parsed tree. Each part
 * is tried in floating point first: what overflows there would take long here.
 */
export function createMathjsExpressionEvaluator(): ExpressionEvaluator {
  const exact = create(all ?? {}, { number: 'BigNumber', precision: PRECISION });
  const rough = create(all ?? {}, { number: 'number' });
  return {
    async evaluate(formula) {
      let node: MathNode;
      try {
        node = exact.parse(formula);
      } catch {
        return { ok: false, problem: 'unreadable', detail: formula };
      }
      const objection = objectTo(node);
      if (objection) return { ok: false, problem: 'not-allowed', detail: objection };
      const overflow = tryRoughly(node);
      if (overflow) return overflow;
      return render(node.evaluate() as unknown);
    },
  };

  /** The first part of the tree that is not arithmetic, or null. */
  function objectTo(root: MathNode): string | null {
    let objection: string | null = null;
    let nodes = 0;
    root.traverse((node, path) => {
      nodes += 1;
      if (objection) return;
      if (nodes > NODE_LIMIT) objection = 'too many parts';
      else if (exact.isFunctionNode(node)) objection = FUNCTIONS.has(node.fn.name) ? null : node.fn.name;
      else if (exact.isOperatorNode(node)) objection = OPERATORS.has(node.fn) ? null : node.op;
      else if (exact.isSymbolNode(node)) objection = path === 'fn' || CONSTANTS.has(node.name) ? null : node.name;
      else if (!exact.isConstantNode(node) && !exact.isParenthesisNode(node)) objection = node.type;
    });
    return objection;
  }

  function tryRoughly(root: MathNode): Evaluation | null {
    let problem: Evaluation | null = null;
    root.traverse((node) => {
      if (problem || exact.isSymbolNode(node)) return;
      problem = problemOf(roughValue(node.toString()), node.toString());
    });
    return problem;
  }

  function roughValue(text: string): unknown {
    try {
      return rough.evaluate(text) as unknown;
    } catch {
      return Number.NaN;
    }
  }

  function render(value: unknown): Evaluation {
    if (!exact.isBigNumber(value)) return { ok: false, problem: 'not-real', detail: String(value) };
    if (value.isNaN() || !value.isFinite()) return { ok: false, problem: 'no-result', detail: value.toString() };
    return { ok: true, value: toDigits(value) };
  }
}

function problemOf(value: unknown, detail: string): Evaluation | null {
  if (typeof value !== 'number') return { ok: false, problem: 'not-real', detail };
  if (Number.isNaN(value)) return { ok: false, problem: 'no-result', detail };
  if (Math.abs(value) !== Number.POSITIVE_INFINITY) return null;
  // A division that overflows divides by zero; anything else is too large.
  return { ok: false, problem: /\/\s*\(?\s*0/.test(detail) || detail.includes('log') ? 'no-result' : 'too-complex', detail };
}

/** Whole numbers in full, others rounded to 12 significant digits after the point, without trailing zeros. */
function toDigits(value: BigNumber): string {
  if (value.isInteger() && value.abs().lt('1e64')) return value.toFixed();
  const rounded = value.toSignificantDigits(15);
  return rounded.abs().lt('1e-9') || rounded.abs().gte('1e21') ? rounded.toString() : rounded.toFixed();
}
