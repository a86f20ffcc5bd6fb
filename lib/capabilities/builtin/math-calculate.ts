import { AppError } from '#lib/kernel/index.ts';
import { toFormula } from '../domain/arithmetic-text.ts';
import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import type { Evaluation, ExpressionEvaluator } from './ports.ts';
import { textArgument } from './text-argument.ts';

/** Longer sums than this are refused: nobody types them, and every step costs time. */
export const EXPRESSION_LENGTH_LIMIT = 500;

export const mathCalculateMetadata: CapabilityMetadata = {
  id: 'math.calculate',
  version: '1.0.0',
  status: 'active',
  domain: 'math',
  title: { en: 'Calculator', 'zh-CN': '计算器' },
  description: {
    en: 'Works out arithmetic: sums, percentages, powers, roots, averages, the usual functions.',
    'zh-CN': '做算术：加减乘除、百分比、乘方、开方、平均数和常用函数。',
  },
  keywords: [
    'calculate',
    'calculation',
    'calculator',
    'compute',
    'math',
    'arithmetic',
    'sum',
    'percent',
    'percentage',
    'plus',
    'minus',
    'divided by',
    'multiply',
    'multiplied',
    'add',
    'subtract',
    'divide',
    'square root',
    'average',
    'tip',
    'work out',
    'equals',
    '计算',
    '算',
    '算一下',
    '算下',
    '计算器',
    '等于',
    '等于多少',
    '加',
    '减',
    '乘',
    '除',
    '百分之',
    '平方根',
    '平方',
    '平均',
    '平均数',
    '打折',
    '数学',
    '总和',
    '求和',
  ],
  examples: [
    { en: 'What is 17% of 2,340?', 'zh-CN': '2,340 的 17% 是多少？' },
    { en: 'Square root of 144 plus 3 squared', 'zh-CN': '（3 + 4）× 5 等于多少？' },
  ],
  inputSchema: {
    type: 'object',
    properties: {
      expression: {
        type: 'string',
        minLength: 1,
        maxLength: EXPRESSION_LENGTH_LIMIT,
        description: 'What to work out: a formula such as (3 + 4) * 5, or words such as 17% of 2,340.',
        'x-source': 'expression',
        'x-ask': { en: 'What should I calculate?', 'zh-CN': '要计算什么？' },
      },
    },
    required: ['expression'],
    additionalProperties: false,
  },
  requiredPermissions: ['capability:invoke'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  contentOrigin: 'own',
  timeoutMs: 5_000,
};

export function createMathCalculate(dependencies: { evaluator: ExpressionEvaluator }): Capability {
  return {
    metadata: mathCalculateMetadata,
    handler: async (args, call) => {
      const expression = textArgument(args, 'expression');
      const formula = toFormula(expression);
      const evaluation: Evaluation =
        formula.length > EXPRESSION_LENGTH_LIMIT
          ? { ok: false, problem: 'too-complex', detail: formula.slice(0, 40) }
          : await dependencies.evaluator.evaluate(formula);
      if (!evaluation.ok)
        throw new AppError({
          code: 'capability_failed',
          message: explain(evaluation.problem, expression, call.locale),
          details: { formula },
        });
      return {
        output: { expression, formula, result: evaluation.value },
        text: `${escapeMarkdown(expression.trim())} = **${groupThousands(evaluation.value)}**`,
      };
    },
  };
}

function explain(problem: Exclude<Evaluation, { ok: true }>['problem'], expression: string, locale: 'en' | 'zh-CN'): string {
  const shown = expression.length > 60 ? `${expression.slice(0, 60)}…` : expression;
  const [en, chinese] = {
    unreadable: [
      `I could not read “${shown}” as arithmetic. Try a formula such as (3 + 4) * 5 or 17% of 2,340.`,
      `没能把“${shown}”读成算式。可以写成 (3 + 4) × 5 或 2,340 的 17%。`,
    ],
    'not-allowed': [
      `“${shown}” asks for more than arithmetic. Numbers, + - * / ^ %, brackets and the usual functions are understood.`,
      `“${shown}”超出了算术的范围。可以用数字、加减乘除、乘方、百分号、括号和常用函数。`,
    ],
    'too-complex': [
      `“${shown}” is too long or too large to work out. Split it into smaller parts.`,
      `“${shown}”太长或数字太大，请拆成几步。`,
    ],
    'no-result': [`“${shown}” has no result: it divides by zero or grows without bound.`, `“${shown}”没有结果：除数为零或数值无限大。`],
    'not-real': [`“${shown}” has no real number as its result.`, `“${shown}”的结果不是实数。`],
  }[problem];
  return (locale === 'en' ? en : chinese) ?? problem;
}

/** 1234567.5 -> 1,234,567.5; numbers with an exponent stay as they are. */
function groupThousands(digits: string): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(digits);
  return match ? `${match[1]}${(match[2] ?? '').replace(/\B(?=(\d{3})+(?!\d))/g, ',')}${match[3] ?? ''}` : digits;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_~[\]<>|#]/g, '\\$&').replace(/\s+/g, ' ');
}
