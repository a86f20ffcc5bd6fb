import { AppError, type Id, newId } from '#lib/kernel/index.ts';
import { type Actor, requirePermission } from '#lib/tenancy/index.ts';
import type { TermList, TermView } from './contract.ts';
import { termRevision } from './describe-ontology.ts';
import { type OntologyTerm, type OntologyTermDraft, TERM_LIMIT, tidyTerm } from './domain/term.ts';
import type { KnowledgeUnitOfWork } from './ports.ts';

interface Dependencies {
  readonly unitOfWork: KnowledgeUnitOfWork<'terms' | 'audit'>;
}

/** The tenant's terms by name, with the token of their state. */
export async function listTerms({ unitOfWork }: Dependencies, actor: Actor): Promise<TermList> {
  requirePermission(actor, 'knowledge:read');
  const terms = await unitOfWork.within(actor.scope, (stores) => stores.terms.list(TERM_LIMIT));
  return { items: terms.map(toView), revision: termRevision(terms) };
}

/** Throws `not_found`. */
export async function getTerm({ unitOfWork }: Dependencies, actor: Actor, id: Id<'term'>): Promise<TermView> {
  requirePermission(actor, 'knowledge:read');
  const term = await unitOfWork.within(actor.scope, (stores) => stores.terms.find(id));
  if (!term) throw notFound();
  return toView(term);
}

/** Throws `permission_denied` without `knowledge:write`, `conflict` for a term that is there, `limit_reached` beyond 300. */
export async function addTerm({ unitOfWork }: Dependencies, actor: Actor, draft: OntologyTermDraft): Promise<TermView> {
  requirePermission(actor, 'knowledge:write');
  return unitOfWork.within(actor.scope, async ({ terms, audit }) => {
    if ((await terms.list(TERM_LIMIT)).length >= TERM_LIMIT)
      throw new AppError({ code: 'limit_reached', message: `A workspace explains at most ${TERM_LIMIT} terms.` });
    const saved = await terms.put({ term: { id: newId('term'), ...tidyTerm(draft) }, expectedVersion: null });
    await audit.record({ type: 'term.created', target: { kind: 'term', id: saved.id, name: saved.term }, details: describe(saved) });
    return toView(saved);
  });
}

/** Throws `permission_denied`, `not_found`, and `conflict` when somebody saved in between or the new name is taken. */
export async function editTerm(
  { unitOfWork }: Dependencies,
  actor: Actor,
  id: Id<'term'>,
  { expectedVersion, ...draft }: OntologyTermDraft & { readonly expectedVersion: number },
): Promise<TermView> {
  requirePermission(actor, 'knowledge:write');
  return unitOfWork.within(actor.scope, async ({ terms, audit }) => {
    const known = await terms.find(id);
    if (!known) throw notFound();
    const saved = await terms.put({ term: { id, ...tidyTerm(draft) }, expectedVersion });
    await audit.record({
      type: 'term.updated',
      target: { kind: 'term', id, name: saved.term },
      details: { before: describe(known), after: describe(saved) },
    });
    return toView(saved);
  });
}

/** Throws `permission_denied` and `not_found`. */
export async function deleteTerm({ unitOfWork }: Dependencies, actor: Actor, id: Id<'term'>): Promise<void> {
  requirePermission(actor, 'knowledge:write');
  await unitOfWork.within(actor.scope, async ({ terms, audit }) => {
    const known = await terms.find(id);
    if (!known || !(await terms.delete(id))) throw notFound();
    await audit.record({ type: 'term.deleted', target: { kind: 'term', id, name: known.term }, details: describe(known) });
  });
}

function describe({ term, meaning, synonyms, version }: OntologyTerm) {
  return { term, meaning, synonyms: [...synonyms], version };
}

function toView({ id, term, meaning, synonyms, version, updatedAt }: OntologyTerm): TermView {
  return { id, term, meaning, synonyms: [...synonyms], version, updatedAt: updatedAt.toISOString() };
}

function notFound(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no such term.' });
}
