import { AppError, type Clock, canonicalJson, type Id, type JsonObject, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type {
  CreateProvider,
  ModelPolicy,
  ModelPolicyBody,
  ModelProviderView,
  ModelsView,
  ProviderTestView,
  UpdateProvider,
} from './contract.ts';
import type { ProviderKind } from './domain/model-spec.ts';
import { type DatedPrice, datedPriceAt, type Price } from './domain/price.ts';
import { keyContext } from './domain/stored-provider.ts';
import type { KeySealer, ModelStores, ProviderRecord, ProviderTester } from './ports.ts';

export interface ManageProviders {
  readonly unitOfWork: UnitOfWork<ModelStores>;
  readonly sealer: KeySealer;
  readonly tester: ProviderTester;
  readonly clock: Clock;
  /** What the operator offers by the environment. */
  readonly offered: { readonly kind: ProviderKind; readonly model: string } | null;
}

/** Providers, policy, and what a run that starts now would use. */
export async function getModels({ unitOfWork, offered, clock }: ManageProviders, actor: Actor): Promise<ModelsView> {
  return unitOfWork.within(actor.scope, async ({ providers }) => {
    const [records, policy] = [await providers.list(), await providers.readPolicy()];
    const own = records.find((record) => record.isDefault);
    const used = own
      ? ({ source: 'workspace', kind: own.kind, model: own.model } as const)
      : offered && ({ source: 'environment', ...offered } as const);
    const names = await providers.nameSetters(records.flatMap(({ keySet }) => (keySet?.by ? [keySet.by] : [])));
    // One that was deleted since is asked no more.
    const fallbacks = policy.fallbacks.filter((id) => records.some((record) => record.id === id && !record.isDefault));
    return {
      policy: { ...policy, fallbacks },
      offered,
      providers: records.map((record) => toView(record, names, clock.now())),
      inUse: policy.isEnabled ? used : null,
    };
  });
}

/** Throws `invalid_request` for a fallback that is no provider of the workspace, or is named twice. */
export async function setModelPolicy({ unitOfWork }: ManageProviders, actor: Actor, body: ModelPolicyBody): Promise<ModelPolicy> {
  const policy: ModelPolicy = { ...body, fallbacks: body.fallbacks ?? [] };
  await unitOfWork.within(actor.scope, async ({ providers, audit }) => {
    const known = new Set<string>((await providers.list()).map(({ id }) => id));
    if (policy.fallbacks.some((id) => !known.has(id)) || new Set(policy.fallbacks).size < policy.fallbacks.length)
      throw new AppError({
        code: 'invalid_request',
        message: 'Name providers of this workspace, each once.',
        details: { path: 'fallbacks' },
      });
    const before = await providers.readPolicy();
    await providers.writePolicy(policy);
    await audit.record({
      type: 'tenant.updated',
      target: { kind: 'tenant', id: actor.scope.tenantId, name: 'models' },
      details: { before: { ...before }, after: { ...policy } },
    });
  });
  return policy;
}

/** The first provider of a workspace becomes its default. Throws `conflict` when the name is taken. */
export async function createProvider(dependencies: ManageProviders, actor: Actor, body: CreateProvider): Promise<ModelProviderView> {
  const id = newId('modelProvider');
  const now = dependencies.clock.now();
  return dependencies.unitOfWork.within(actor.scope, async ({ providers, audit }) => {
    const isFirst = (await providers.list()).length === 0;
    const record: ProviderRecord = {
      id,
      kind: body.kind,
      name: body.name,
      baseUrl: requireBaseUrl(body.kind, body.baseUrl),
      model: body.model,
      settings: numbersOf(body.settings),
      ...sealKey(dependencies, actor, { id, apiKey: body.apiKey, now }),
      prices: body.price ? [{ validFrom: now, price: body.price }] : [],
      isDefault: isFirst,
      updatedAt: now,
      lastTest: null,
    };
    await providers.put(record);
    for (const dated of record.prices) await providers.setPrice(id, dated);
    if (isFirst) await providers.setDefault(id);
    await audit.record({
      type: 'model-provider.created',
      target: { kind: 'model-provider', id, name: body.name },
      details: describe(record, now),
    });
    return toView(record, await providers.nameSetters(record.keySet?.by ? [record.keySet.by] : []), now);
  });
}

/**
 * Throws `not_found` and `conflict`, and `invalid_request` for a price from the past. A change of address without a new key drops the key: it
 * was meant for another place.
 */
export async function updateProvider(
  dependencies: ManageProviders,
  actor: Actor,
  id: Id<'modelProvider'>,
  body: UpdateProvider,
): Promise<ModelProviderView> {
  return dependencies.unitOfWork.within(actor.scope, async ({ providers, audit }) => {
    const known = await providers.find(id);
    if (!known) throw notFound();
    const now = dependencies.clock.now();
    const dated = datePrice(body, known, now);
    const baseUrl = body.baseUrl === undefined ? known.baseUrl : requireBaseUrl(known.kind, body.baseUrl);
    const keptKey = baseUrl === known.baseUrl ? { sealedKey: known.sealedKey, keyHint: known.keyHint, keySet: known.keySet } : NO_KEY;
    const record: ProviderRecord = {
      ...known,
      baseUrl,
      name: body.name ?? known.name,
      model: body.model ?? known.model,
      settings: body.settings ? numbersOf(body.settings) : known.settings,
      prices: dated ? [...known.prices.filter(({ validFrom }) => validFrom.getTime() !== dated.validFrom.getTime()), dated] : known.prices,
      ...(body.apiKey === undefined ? keptKey : sealKey(dependencies, actor, { id, apiKey: body.apiKey, now })),
      isDefault: body.isDefault ?? known.isDefault,
      updatedAt: now,
      lastTest: null,
    };
    await providers.put(record);
    if (dated) await providers.setPrice(id, dated);
    if (body.isDefault) await providers.setDefault(id);
    await audit.record({
      type: 'model-provider.updated',
      target: { kind: 'model-provider', id, name: record.name },
      details: { before: describe(known, now), after: describe(record, now) },
    });
    return toView(record, await providers.nameSetters(record.keySet?.by ? [record.keySet.by] : []), now);
  });
}

/** Throws `not_found`. */
export async function deleteProvider({ unitOfWork, clock }: ManageProviders, actor: Actor, id: Id<'modelProvider'>): Promise<void> {
  await unitOfWork.within(actor.scope, async ({ providers, audit }) => {
    const known = await providers.find(id);
    if (!known || !(await providers.remove(id))) throw notFound();
    await audit.record({
      type: 'model-provider.deleted',
      target: { kind: 'model-provider', id, name: known.name },
      details: describe(known, clock.now()),
    });
  });
}

/** Reach, authenticate, one small call, outside any transaction; the outcome is kept. Throws `not_found`. */
export async function testProvider(
  { unitOfWork, tester }: ManageProviders,
  actor: Actor,
  id: Id<'modelProvider'>,
): Promise<ProviderTestView> {
  const known = await unitOfWork.within(actor.scope, ({ providers }) => providers.find(id));
  if (!known) throw notFound();
  const test = await tester.test(actor.scope.tenantId, known);
  await unitOfWork.within(actor.scope, async ({ providers, audit }) => {
    await providers.recordTest(id, test);
    await audit.record({
      type: 'model-provider.tested',
      target: { kind: 'model-provider', id, name: known.name },
      details: { reach: test.reach.ok, authenticate: test.authenticate?.ok ?? null, call: test.call?.ok ?? null },
    });
  });
  return test;
}

function requireBaseUrl(kind: ProviderKind, baseUrl: string | null): string | null {
  if (kind !== 'compatible' || baseUrl !== null) return baseUrl;
  throw new AppError({
    code: 'invalid_request',
    message: 'A compatible provider needs its base URL, such as http://localhost:11434/v1.',
    details: { path: 'baseUrl' },
  });
}

const NO_KEY = { sealedKey: null, keyHint: null, keySet: null };

function sealKey(
  { sealer }: ManageProviders,
  actor: Actor,
  { id, apiKey, now }: { id: Id<'modelProvider'>; apiKey: string | null; now: Date },
) {
  if (apiKey === null) return NO_KEY;
  return {
    sealedKey: sealer.seal(apiKey, keyContext(actor.scope.tenantId, id)),
    keyHint: apiKey.length > 8 ? apiKey.slice(-4) : '••••',
    keySet: { at: now, by: actor.scope.userId },
  };
}

function numbersOf(settings: CreateProvider['settings']): Record<string, number> {
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

/** What the audit log keeps: never the key. */
function describe({ kind, name, baseUrl, model, settings, keyHint, prices, isDefault }: ProviderRecord, now: Date): JsonObject {
  const price = datedPriceAt(prices, now)?.price ?? null;
  const later = laterPrices(prices, now).map(({ validFrom, price: next }) => ({
    from: validFrom.toISOString(),
    price: next && { ...next },
  }));
  return {
    kind,
    name,
    baseUrl,
    model,
    settings: { ...settings },
    keyHint,
    price: price && { ...price },
    ...(later.length > 0 && { laterPrices: later }),
    isDefault,
  };
}

function laterPrices(prices: readonly DatedPrice[], now: Date): DatedPrice[] {
  return prices.filter(({ validFrom }) => validFrom > now).sort((a, b) => a.validFrom.getTime() - b.validFrom.getTime());
}

/** The price that a request sets, and from when; null where it sets none: one that is sent again as it was goes on counting. */
function datePrice({ price, priceFrom }: UpdateProvider, known: ProviderRecord, now: Date): DatedPrice | null {
  if (price === undefined) {
    if (priceFrom === undefined) return null;
    throw wrongDate('Say which price begins then.');
  }
  if (priceFrom === undefined) {
    const counting = datedPriceAt(known.prices, now)?.price ?? null;
    const isSame = price === null || counting === null ? price === counting : isSamePrice(price, counting);
    return isSame ? null : { validFrom: now, price };
  }
  const validFrom = new Date(priceFrom);
  if (validFrom < now) throw wrongDate('A price begins now or later: calls that were made have their cost.');
  return { validFrom, price };
}

function wrongDate(message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { path: 'priceFrom' } });
}

function isSamePrice(a: Price, b: Price): boolean {
  return canonicalJson({ ...a }) === canonicalJson({ ...b });
}

function toView(record: ProviderRecord, names: ReadonlyMap<Id<'user'>, string>, now: Date): ModelProviderView {
  const { id, kind, name, baseUrl, model, settings, keyHint, keySet, prices, isDefault, updatedAt, lastTest } = record;
  const counting = datedPriceAt(prices, now);
  return {
    id,
    kind,
    name,
    baseUrl,
    model,
    settings,
    keyHint,
    keySet: keySet && { at: keySet.at.toISOString(), by: (keySet.by && names.get(keySet.by)) ?? null },
    price: counting?.price ?? null,
    priceSetAt: counting?.price ? counting.validFrom.toISOString() : null,
    laterPrices: laterPrices(prices, now).map(({ validFrom, price }) => ({ from: validFrom.toISOString(), price })),
    isDefault,
    updatedAt: updatedAt.toISOString(),
    lastTest,
  };
}

function notFound(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no such provider.' });
}
