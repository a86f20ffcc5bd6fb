import type { Id } from '#lib/kernel/index.ts';

/** Tenants that are remembered; a forgotten one costs its next run a round trip. */
const KEPT = 10_000;

/**
 * Whether the last run of a tenant in this process could use a model, so that the next one reads what a model is told before
 * it knows. A guess: nothing follows from it but when something is read.
 */
export class ModelUse {
  readonly #tenants = new Set<Id<'tenant'>>();

  isLikely(tenantId: Id<'tenant'>): boolean {
    return this.#tenants.has(tenantId);
  }

  note(tenantId: Id<'tenant'>, usesModel: boolean): void {
    if (!usesModel) this.#tenants.delete(tenantId);
    else if (this.#tenants.size < KEPT) this.#tenants.add(tenantId);
  }
}
