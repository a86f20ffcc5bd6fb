import { z } from 'zod';

/** Shapes of model settings as the API and the browser see them. A key goes in and never comes out. */
export const providerKind = z.enum(['openai', 'anthropic', 'compatible']);

/** For a million tokens of each class, in micro-units: 1,000,000 = one of the currency. */
export const priceShape = z.object({
  currency: z.string().regex(/^[A-Z]{3}$/, 'Use a currency code such as USD.'),
  inputMicros: z.number().int().min(0),
  cachedInputMicros: z.number().int().min(0),
  cacheWriteMicros: z.number().int().min(0),
  outputMicros: z.number().int().min(0),
});

/** An absent setting is the provider's default. */
export const modelSettings = z.object({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().gt(0).max(1).optional(),
  topK: z.number().int().min(1).optional(),
  maxOutputTokens: z.number().int().min(1).optional(),
  seed: z.number().int().optional(),
  /** How many tokens the model can hold; absent: as its name tells. Conversations are kept within it. */
  contextTokens: z.number().int().min(1_000).max(10_000_000).optional(),
});

const testPart = z.object({ ok: z.boolean(), detail: z.string(), ms: z.number() });
/** The three parts of a test; a part after a failed one is null: it was not tried. */
export const providerTestView = z.object({
  at: z.string(),
  url: z.string(),
  reach: testPart,
  authenticate: testPart.nullable(),
  call: testPart.nullable(),
});
export type ProviderTestView = z.infer<typeof providerTestView>;

export const modelProviderView = z.object({
  id: z.string(),
  kind: providerKind,
  name: z.string(),
  baseUrl: z.string().nullable(),
  model: z.string(),
  settings: modelSettings,
  /** The key's last four characters; null where there is none. */
  keyHint: z.string().nullable(),
  /** Who set the key and when; null where there is none, or it was set before this was kept. */
  keySet: z.object({ at: z.string(), by: z.string().nullable() }).nullable(),
  price: priceShape.nullable(),
  /** From when on calls are counted at this price. */
  priceSetAt: z.string().nullable(),
  /** Prices that begin later, the next one first; null: from then on there is none. */
  laterPrices: z.array(z.object({ from: z.string(), price: priceShape.nullable() })),
  isDefault: z.boolean(),
  updatedAt: z.string(),
  lastTest: providerTestView.nullable(),
});
export type ModelProviderView = z.infer<typeof modelProviderView>;

export const modelPolicy = z.object({
  /** Whether this workspace's runs may use a model at all. */
  isEnabled: z.boolean(),
  /** Whether the deterministic planner answers when the model fails before it has said anything. */
  fallsBack: z.boolean(),
  /** Ids of providers that are asked, in this order, when the default one fails before it has said anything. */
  fallbacks: z.array(z.string()).max(10).default([]),
});
export type ModelPolicy = z.infer<typeof modelPolicy>;
/** As it is sent: without fallbacks there are none. */
export type ModelPolicyBody = z.input<typeof modelPolicy>;

export const modelsView = z.object({
  policy: modelPolicy,
  /** What the operator offers by the environment; read-only here. */
  offered: z.object({ kind: providerKind, model: z.string() }).nullable(),
  providers: z.array(modelProviderView),
  /** What a run that starts now would use. */
  inUse: z.object({ source: z.enum(['workspace', 'environment']), kind: providerKind, model: z.string() }).nullable(),
});
export type ModelsView = z.infer<typeof modelsView>;

export const createProviderBody = z.object({
  kind: providerKind,
  name: z.string().trim().min(1).max(60),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  model: z.string().trim().min(1).max(120),
  apiKey: z.string().min(1).max(500).nullable().default(null),
  settings: modelSettings.default({}),
  price: priceShape.nullable().default(null),
});
export type CreateProvider = z.infer<typeof createProviderBody>;

/** Absent keys stay as they are; `apiKey: null` removes the key. */
export const updateProviderBody = z.object({
  name: z.string().trim().min(1).max(60).optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .optional(),
  model: z.string().trim().min(1).max(120).optional(),
  apiKey: z.string().min(1).max(500).nullable().optional(),
  settings: modelSettings.optional(),
  price: priceShape.nullable().optional(),
  /** When the price begins; absent: now. Never in the past: calls that were made have their cost. */
  priceFrom: z.iso.datetime({ offset: true }).optional(),
  isDefault: z.literal(true).optional(),
});
export type UpdateProvider = z.infer<typeof updateProviderBody>;

/** In tokens, or in micro-units of the currency. */
const amount = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const budgetSubject = z.enum(['tenant', 'user', 'session']);
const budgetMeasure = z.enum(['tokens', 'money']);
const budgetPeriod = z.enum(['day', 'month', 'total']);
const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'Use a currency code such as USD.');

export const budgetUseView = z.object({
  /** The person or chat; the workspace's own id for that of everyone together. */
  id: z.string(),
  /** null: of somebody who is not here any more, or a chat without a title. */
  name: z.string().nullable(),
  used: z.number(),
  /** Held for calls that are under way. */
  reserved: z.number(),
});
export type BudgetUseView = z.infer<typeof budgetUseView>;

export const budgetView = z.object({
  id: z.string(),
  subject: budgetSubject,
  /** The one person it is for; null: it is for everyone, each person, or each chat. */
  person: z.object({ userId: z.string(), name: z.string().nullable() }).nullable(),
  measure: budgetMeasure,
  currency: z.string().nullable(),
  period: budgetPeriod,
  softLimit: z.number().nullable(),
  hardLimit: z.number().nullable(),
  /** When the present period ends; null: never. */
  endsAt: z.string().nullable(),
  /** Of the present period, the most used first; at most ten. */
  uses: z.array(budgetUseView),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
});
export type BudgetView = z.infer<typeof budgetView>;
export const budgetPage = z.object({ items: z.array(budgetView) });

const limit = amount.nullable();
export const createBudgetBody = z.object({
  subject: budgetSubject,
  userId: z.string().nullable().default(null),
  measure: budgetMeasure,
  currency: currencyCode.nullable().default(null),
  period: budgetPeriod,
  softLimit: limit.default(null),
  hardLimit: limit.default(null),
});
export type CreateBudget = z.infer<typeof createBudgetBody>;

export const setBudgetLimitsBody = z.object({ softLimit: limit, hardLimit: limit });
export type SetBudgetLimits = z.infer<typeof setBudgetLimitsBody>;
