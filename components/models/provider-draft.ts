import { isDay, startOfDay } from '#components/runs/calendar-day.ts';
import type { CreateProvider, ModelProviderView, UpdateProvider } from '#lib/models/contract.ts';
import { parseMicros, writeMicros } from './price-micros.ts';

/** A provider as it stands in the form: every field the text that was typed. */
export interface ProviderDraft {
  kind: ModelProviderView['kind'];
  name: string;
  baseUrl: string;
  model: string;
  /** Never filled from the server: empty keeps the stored key. */
  apiKey: string;
  isKeyRemoved: boolean;
  temperature: string;
  topP: string;
  topK: string;
  maxOutputTokens: string;
  seed: string;
  contextTokens: string;
  currency: string;
  input: string;
  cachedInput: string;
  cacheWrite: string;
  output: string;
  /** A day of the calendar; empty: the price begins at once. */
  priceFrom: string;
}

export type DraftField = keyof ProviderDraft;

/** What is wrong with a field; `key` is a message of `models.problems`. */
export type DraftProblem =
  | {
      key:
        | 'required'
        | 'tooLong'
        | 'url'
        | 'urlNeeded'
        | 'number'
        | 'whole'
        | 'positive'
        | 'price'
        | 'currency'
        | 'priceNeeded'
        | 'day'
        | 'nameTaken';
    }
  | { key: 'range'; min: number; max: number }
  | { key: 'refused'; message: string };

export type DraftProblems = { readonly [Field in DraftField]?: DraftProblem };

/** The settings that have a field of their own, in the form's order. */
export const SETTING_FIELDS = ['temperature', 'topP', 'topK', 'maxOutputTokens', 'seed', 'contextTokens'] as const;
export const PRICE_FIELDS = ['input', 'cachedInput', 'cacheWrite', 'output'] as const;

const NAME_LENGTH = 60;
const MODEL_LENGTH = 120;
const KEY_LENGTH = 500;
const DEFAULT_CURRENCY = 'USD';

/** The form's start: empty, or what is known of a provider. Its key is not known here. */
export function draftOf(provider: ModelProviderView | null): ProviderDraft {
  const { settings, price } = provider ?? { settings: {}, price: null };
  return {
    kind: provider?.kind ?? 'openai',
    name: provider?.name ?? '',
    baseUrl: provider?.baseUrl ?? '',
    model: provider?.model ?? '',
    apiKey: '',
    isKeyRemoved: false,
    temperature: writeNumber(settings.temperature),
    topP: writeNumber(settings.topP),
    topK: writeNumber(settings.topK),
    maxOutputTokens: writeNumber(settings.maxOutputTokens),
    seed: writeNumber(settings.seed),
    contextTokens: writeNumber(settings.contextTokens),
    currency: price?.currency ?? DEFAULT_CURRENCY,
    input: writeAmount(price?.inputMicros),
    cachedInput: writeAmount(price?.cachedInputMicros),
    cacheWrite: writeAmount(price?.cacheWriteMicros),
    output: writeAmount(price?.outputMicros),
    priceFrom: '',
  };
}

/** Whether saving takes the stored key away: it was meant for the address that is being left. */
export function dropsKey(draft: ProviderDraft, provider: ModelProviderView | null): boolean {
  if (!provider?.keyHint || draft.apiKey.trim() !== '' || draft.isKeyRemoved) return false;
  return (draft.baseUrl.trim() || null) !== provider.baseUrl;
}

/** What is wrong with the draft, by field; empty when it can be sent. */
export function findProblems(draft: ProviderDraft): DraftProblems {
  const problems: { [Field in DraftField]?: DraftProblem } = {};
  const check = (field: DraftField, problem: DraftProblem | null) => {
    if (problem) problems[field] = problem;
  };
  check('name', textProblem(draft.name, NAME_LENGTH));
  check('model', textProblem(draft.model, MODEL_LENGTH));
  check('baseUrl', addressProblem(draft));
  if (draft.apiKey.trim().length > KEY_LENGTH) check('apiKey', { key: 'tooLong' });
  check('temperature', numberProblem(draft.temperature, { min: 0, max: 2 }));
  check(
    'topP',
    draft.topP.trim() !== '' && Number(draft.topP) === 0
      ? { key: 'range', min: 0.01, max: 1 }
      : numberProblem(draft.topP, { min: 0, max: 1 }),
  );
  check('topK', numberProblem(draft.topK, 'count'));
  check('maxOutputTokens', numberProblem(draft.maxOutputTokens, 'count'));
  check('seed', numberProblem(draft.seed, 'whole'));
  check('contextTokens', numberProblem(draft.contextTokens, { min: 1_000, max: 10_000_000 }));
  for (const field of PRICE_FIELDS) if (draft[field].trim() !== '' && parseMicros(draft[field]) === null) check(field, { key: 'price' });
  if (draft.priceFrom.trim() !== '' && !isDay(draft.priceFrom.trim())) check('priceFrom', { key: 'day' });
  if (hasPrice(draft)) {
    if (!/^[a-z]{3}$/i.test(draft.currency.trim())) check('currency', { key: 'currency' });
    for (const field of ['input', 'output'] as const) if (draft[field].trim() === '') check(field, { key: 'priceNeeded' });
  }
  return problems;
}

/** The request that adds the provider. Call it for a draft without problems. */
export function toCreateBody(draft: ProviderDraft): CreateProvider {
  return { kind: draft.kind, ...fieldsOf(draft), apiKey: draft.apiKey.trim() || null };
}

/**
 * The request that changes the provider; it speaks of the key only where that changes. Days begin by the clock of `timeZone`.
 * Call it for a draft without problems.
 */
export function toUpdateBody(draft: ProviderDraft, timeZone: string): UpdateProvider {
  const key = draft.apiKey.trim();
  const day = draft.priceFrom.trim();
  const from = day === '' ? {} : { priceFrom: startOfDay(day, timeZone).toISOString() };
  return { ...fieldsOf(draft), ...from, ...(key !== '' ? { apiKey: key } : draft.isKeyRemoved ? { apiKey: null } : {}) };
}

function fieldsOf(draft: ProviderDraft) {
  const settings = SETTING_FIELDS.flatMap((field) => (draft[field].trim() === '' ? [] : [[field, Number(draft[field])] as const]));
  const inputMicros = parseMicros(draft.input) ?? 0;
  return {
    name: draft.name.trim(),
    baseUrl: draft.baseUrl.trim() || null,
    model: draft.model.trim(),
    settings: Object.fromEntries(settings) as CreateProvider['settings'],
    price: hasPrice(draft)
      ? {
          currency: draft.currency.trim().toUpperCase(),
          inputMicros,
          cachedInputMicros: parseMicros(draft.cachedInput) ?? inputMicros,
          cacheWriteMicros: parseMicros(draft.cacheWrite) ?? inputMicros,
          outputMicros: parseMicros(draft.output) ?? 0,
        }
      : null,
  };
}

function writeNumber(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function writeAmount(micros: number | undefined): string {
  return micros === undefined ? '' : writeMicros(micros);
}

function hasPrice(draft: ProviderDraft): boolean {
  return PRICE_FIELDS.some((field) => draft[field].trim() !== '');
}

function textProblem(text: string, length: number): DraftProblem | null {
  if (text.trim() === '') return { key: 'required' };
  return text.trim().length > length ? { key: 'tooLong' } : null;
}

function addressProblem({ kind, baseUrl }: ProviderDraft): DraftProblem | null {
  const text = baseUrl.trim();
  if (text === '') return kind === 'compatible' ? { key: 'urlNeeded' } : null;
  return /^https?:\/\/[^/\s]/i.test(text) && URL.canParse(text) ? null : { key: 'url' };
}

function numberProblem(text: string, wanted: { min: number; max: number } | 'whole' | 'count'): DraftProblem | null {
  if (text.trim() === '') return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return { key: 'number' };
  if (typeof wanted === 'object') return value < wanted.min || value > wanted.max ? { key: 'range', ...wanted } : null;
  if (!Number.isSafeInteger(value)) return { key: 'whole' };
  return wanted === 'count' && value < 1 ? { key: 'positive' } : null;
}
