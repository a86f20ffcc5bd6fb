import { defineTransitions, type Id, type JsonObject, type TenantScope } from '#lib/kernel/index.ts';

/** The stages of an installation or upgrade, in order. Each commits its effect together with its own record. */
export const OPERATION_STAGES = ['verify', 'configure', 'knowledge', 'check', 'activate'] as const;
export type OperationStage = (typeof OPERATION_STAGES)[number];

export type OperationState = 'RUNNING' | 'SUCCEEDED' | 'FAILED';

/** FAILED: a stage failed and everything before it was taken back. */
export const operationTransitions = defineTransitions<OperationState>('plugin operation', {
  RUNNING: ['SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: [],
});

/** A document that came with a plugin; while its version is still this one, nobody has changed it. */
export interface ProvidedDocument {
  readonly key: string;
  readonly documentId: Id<'document'>;
  readonly version: number;
}

/** A secret at rest: sealed, with what may be shown of it. */
export interface SealedSecret {
  readonly keyId: string;
  readonly box: string;
  readonly hint: string;
}
export type SealedSecrets = Readonly<Record<string, SealedSecret>>;

/** What a tenant has set for a plugin. */
export interface PluginSettings {
  readonly values: JsonObject;
  readonly secrets: SealedSecrets;
}

/** An installation or upgrade under way or ended, as it is kept: whoever finds it can carry it on. */
export interface PluginOperation {
  readonly id: Id<'pluginOperation'>;
  readonly pluginId: string;
  readonly kind: 'install' | 'upgrade';
  readonly state: OperationState;
  /** The version that was consented to. */
  readonly version: string;
  readonly permissions: readonly string[];
  readonly settings: PluginSettings;
  /** Stages that are done, with when. */
  readonly done: readonly { readonly stage: OperationStage; readonly at: string }[];
  /** What the stages so far have put into the tenant. */
  readonly documents: readonly ProvidedDocument[];
  readonly error: { readonly stage: OperationStage; readonly message: string } | null;
  /** On whose behalf; its audit rows name them. */
  readonly requester: Required<Pick<TenantScope, 'userId'>> & Pick<TenantScope, 'apiKeyId'>;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** The stage to carry on with; null when all are done. Pure. */
export function nextStage({ done }: Pick<PluginOperation, 'done'>): OperationStage | null {
  return OPERATION_STAGES[done.length] ?? null;
}
