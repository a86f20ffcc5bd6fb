import type { Id, TenantScope } from '#lib/kernel/index.ts';
import type { ContextFragment } from './domain/fragment.ts';

export interface ContextRequest {
  readonly scope: TenantScope;
  readonly sessionId: Id<'session'>;
  readonly agentId: string;
  /** The message that is answered; history is what stands above it. */
  readonly messageId: Id<'message'>;
  readonly message: string;
}

/** Gives fragments to a run before it starts. Lower orders come first; for one key the later wins. */
export interface ContextContributor {
  readonly name: string;
  readonly order: number;
  contribute(request: ContextRequest): Promise<readonly ContextFragment[]>;
}
