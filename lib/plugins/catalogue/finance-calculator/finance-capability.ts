import type { CapabilityHandler, CapabilityMetadata, LocalisedText } from '#lib/capabilities/index.ts';
import type { JsonObject } from '#lib/kernel/index.ts';

export type Locale = 'en' | 'zh-CN';

export interface FinanceCapability {
  readonly metadata: CapabilityMetadata;
  readonly create: () => CapabilityHandler;
}

const COUNTS = {
  version: '1.0.0',
  status: 'active',
  domain: 'finance',
  requiredPermissions: ['capability:invoke'],
  sideEffect: 'read',
  idempotency: 'idempotent',
  timeoutMs: 5_000,
} as const;

/** The yearly rate, in percent, as a property of a schema. */
export const RATE = {
  type: 'number',
  minimum: 0,
  maximum: 1_000,
  'x-source': 'number',
  'x-before': ['%', 'percent', 'per cent', '个点'],
  'x-after': ['at', 'rate', 'interest rate', 'rate of', 'interest of', 'interest', '年利率', '利率', '年化', '按', '利率为'],
  'x-ask': { en: 'At what yearly rate, in percent?', 'zh-CN': '年利率是百分之多少？' },
} as const;
/** A capability that only calculates: pure, and the same each time. */
export function defineFinance(options: {
  id: string;
  title: LocalisedText;
  description: LocalisedText;
  keywords: readonly string[];
  examples: readonly LocalisedText[];
  properties: JsonObject;
  required: readonly string[];
  run: (args: JsonObject, locale: Locale, configuration: JsonObject) => { output: JsonObject; text: string };
}): FinanceCapability {
  const { properties, required, run, ...names } = options;
  return {
    metadata: { ...names, ...COUNTS, inputSchema: { type: 'object', properties, required: [...required], additionalProperties: false } },
    create: () => async (args, call) => run(args, call.locale, call.configuration),
  };
}

export function numberOf(args: JsonObject, name: string, otherwise = 0): number {
  return typeof args[name] === 'number' ? args[name] : otherwise;
}

export function cents(value: number): number {
  return Math.round(value * 100) / 100;
}

export function moneyIn(locale: Locale): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return (value) => format.format(cents(value));
}
