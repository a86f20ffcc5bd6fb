import { type Actor, hasPermission } from '#lib/tenancy/index.ts';
import type { InboxView } from './contract.ts';
import type { ApprovalReader } from './ports.ts';

/** Everything that waits for the actor: decisions that they may make, questions of their own runs. */
export function readInbox({ approvals }: { readonly approvals: ApprovalReader }, actor: Actor): Promise<InboxView> {
  return approvals.readInbox(actor.scope, {
    userId: actor.scope.userId,
    mayDecideForOthers: hasPermission(actor, 'approval:decide'),
  });
}
