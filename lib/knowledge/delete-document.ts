import { AppError, type Id } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { KnowledgeUnitOfWork } from './ports.ts';

/** Removes a document with its index, and records it, in one transaction. Throws `permission_denied` or `not_found`. */
export async function deleteDocument(
  dependencies: { unitOfWork: KnowledgeUnitOfWork<'documents' | 'audit'> },
  actor: Actor,
  documentId: Id<'document'>,
): Promise<void> {
  requirePermission(actor, 'knowledge:write');
  await dependencies.unitOfWork.within(actor.scope, async ({ documents, audit }) => {
    const document = await documents.find(documentId);
    if (!document || !(await documents.delete(documentId)))
      throw new AppError({ code: 'not_found', message: 'There is no such document.' });
    await audit.record({
      type: 'document.deleted',
      target: { kind: 'document', id: documentId, name: document.title },
      details: { version: document.version },
    });
  });
}
