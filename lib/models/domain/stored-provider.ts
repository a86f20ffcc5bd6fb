import type { Id } from '#lib/kernel/index.ts';
import type { ProviderKind } from './model-spec.ts';
import type { DatedPrice } from './price.ts';

/** A provider as a tenant has set it up. The key is sealed; it is opened only to make a call. */
export interface StoredProvider {
  readonly id: Id<'modelProvider'>;
  readonly kind: ProviderKind;
  readonly baseUrl: string | null;
  readonly model: string;
  /** Temperature and the like by name; absent ones are the provider's defaults. */
  readonly settings: Readonly<Record<string, number>>;
  readonly sealedKey: { readonly keyId: string; readonly box: string } | null;
  /** Those that have counted, counts and will count, in any order. */
  readonly prices: readonly DatedPrice[];
}

/** What a provider's sealed key is bound to. */
export function keyContext(tenantId: Id<'tenant'>, providerId: Id<'modelProvider'>): string {
  return `${tenantId}/${providerId}`;
}
