import { AppError, type Id, type UnitOfWork } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { ConversationStores } from './ports.ts';

/**
 * Keeps a message and its answer word for word when the conversation around them is summarised, or lets them go again. Throws
 * `not_found` for a message that is not in a session of this person.
 */
export async function pinMessage(
  { unitOfWork }: { unitOfWork: UnitOfWork<Pick<ConversationStores, 'sessions' | 'audit'>> },
  actor: Actor,
  message: { sessionId: Id<'session'>; messageId: Id<'message'>; isPinned: boolean },
): Promise<void> {
  await unitOfWork.within(actor.scope, async ({ sessions, audit }) => {
    if (!(await sessions.pinMessage(message))) throw new AppError({ code: 'not_found', message: 'There is no such message.' });
    const { sessionId, ...details } = message;
    await audit.record({ type: 'agent.session.updated', target: { kind: 'session', id: sessionId }, details });
  });
}
