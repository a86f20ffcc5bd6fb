import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { composeKnowledge } from '#lib/composition/knowledge.ts';
import { composeModels } from '#lib/composition/models.ts';
import { type Id, newId } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { codeOf, createTenancyWorld, type TenancyWorld } from '#lib/testing/tenancy-world.ts';

let world: TenancyWorld;
let knowledge: ReturnType<typeof composeKnowledge>;
let ada: Actor;
let colleague: Actor;
let stranger: Actor;
beforeAll(async () => {
  world = await createTenancyWorld();
  knowledge = composeKnowledge({ ...world, fetch: globalThis.fetch, openEmbedding: composeModels(world).openEmbedding });
  const acme = await world.addTenant('acme');
  ada = acme.actor;
  colleague = await world.actorOf('acme', await world.addPerson(ada, 'owner'));
  stranger = (await world.addTenant('other')).actor;
});
afterAll(() => world.close());

const textsOf = async (actor: Actor) => (await knowledge.useCases.listFacts(actor)).items.map(({ text }) => text);

describe('a fact', () => {
  verifies(['P-09', 'P-18', 'K15'], 'belongs to one person in one tenant: listed, edited and forgotten by nobody else', async () => {
    const { addFact, editFact, forgetFact } = knowledge.useCases;
    const id = (await addFact(ada, 'likes tea')).id as Id<'fact'>;
    for (const other of [colleague, stranger]) {
      expect(await textsOf(other)).toEqual([]);
      expect(await codeOf(editFact(other, id, 'likes coffee'))).toBe('not_found');
      expect(await codeOf(forgetFact(other, id))).toBe('not_found');
      // Below the use case too: a store keeps to the person it is asked about.
      const fact = { id, userId: other.scope.userId, text: 'likes coffee', runId: null, createdAt: new Date() };
      await world.unitOfWork.within(other.scope, ({ facts }) => facts.put(fact)).catch(() => undefined);
    }
    expect(await textsOf(ada)).toEqual(['likes tea']);
    await editFact(ada, id, 'likes oolong');
    expect(await textsOf(ada)).toEqual(['likes oolong']);
    await forgetFact(ada, id);
    expect(await codeOf(forgetFact(ada, id))).toBe('not_found');
    const types = (await world.tenancy.listAuditEvents(ada, { limit: 3 })).items.map(({ type }) => type);
    expect(types).toEqual(['fact.forgotten', 'fact.updated', 'fact.remembered']);
  });
});

const describeFor = (actor: Actor, message: string) => knowledge.ontologyWith({ list: async () => [] }).describe(actor.scope, message);

describe('a document', () => {
  const draft = { id: null, expectedVersion: null, title: 'Library', language: 'en', body: '# Library\n\nOpen till ten.' } as const;
  const save = (actor: Actor, change: Partial<Parameters<typeof knowledge.useCases.saveDocument>[1]> = {}) =>
    knowledge.useCases.saveDocument(actor, { ...draft, ...change });

  it('opens a passage that was quoted, in its own tenant and its own document only', async () => {
    const body = '# Archive\n\n## Zebras\n\nZebras sleep in the archive on Sundays.';
    const { id } = await save(ada, { title: 'Archive', body });
    const other = await save(ada, { title: 'Other', body: 'Nothing.' });
    const [found] = await knowledge.passages.search({ scope: ada.scope, query: 'where do zebras sleep', limit: 1 });
    const at = { documentId: id as Id<'document'>, chunkId: found?.chunkId as Id<'chunk'> };
    const { findPassage } = knowledge.useCases;
    expect(await findPassage(ada, at)).toEqual({ section: 'Zebras', text: 'Zebras sleep in the archive on Sundays.' });
    expect(await findPassage(stranger, at)).toBeNull();
    expect(await findPassage(ada, { ...at, documentId: other.id as Id<'document'> })).toBeNull();
    // Saved anew it has other passages.
    await save(ada, { id: at.documentId, expectedVersion: 1, title: 'Archive', body });
    expect(await findPassage(ada, at)).toBeNull();
    for (const document of [id, other.id]) await knowledge.useCases.deleteDocument(ada, document as Id<'document'>);
  });

  it('tells the planner what it has of a message, and what of it in one passage, in its own tenant only', async () => {
    const body = '# Library\n\nOpen till ten.\n\n## Fees\n\nA late book costs a coin a day. A book is no fish, and no submarine is a book.';
    await save(ada, { title: 'Library', body });
    const { summary, revision, documents } = await describeFor(ada, 'is a late book cheaper than a zeppelin?');
    expect(summary).toBe('Library: Fees');
    expect(documents?.passageCount).toBe(2);
    expect(documents?.frequency.get('book')).toBe(1);
    expect(documents?.frequency.has('zeppelin')).toBe(false);
    expect(documents?.passages).toEqual([new Set(['late', 'book'])]);
    expect(await describeFor(ada, '?')).toMatchObject({ summary, revision, documents: { passageCount: 2, passages: [] } });
    const elsewhere = await describeFor(stranger, 'is a late book cheaper than a zeppelin?');
    expect(elsewhere).toMatchObject({ summary: '', documents: { passageCount: 0, passages: [] } });
  });

  it('is saved by one of two who edited the same version; the other is told', async () => {
    const id = (await save(ada)).id as Id<'document'>;
    const edits = await Promise.allSettled(['one', 'two'].map((body) => save(colleague, { id, expectedVersion: 1, body })));
    expect(edits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(edits.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    expect(await codeOf(save(ada, { id, expectedVersion: 1, body: 'late' }))).toBe('conflict');
    expect(await knowledge.useCases.getDocument(ada, id)).toMatchObject({ version: 2, body: expect.stringMatching(/^(one|two)$/) });
  });

  verifies(['P-18', 'K15'], 'is there for its own tenant alone, in searches too', async () => {
    const { getDocument, deleteDocument, listDocuments } = knowledge.useCases;
    const id = (await save(ada, { body: '# Library\n\nThe vermilion reading room closes at ten.' })).id as Id<'document'>;
    const found = async (actor: Actor) =>
      (await knowledge.passages.search({ scope: actor.scope, query: 'vermilion reading room', limit: 5 })).map(
        ({ documentId }) => documentId,
      );
    expect(await found(colleague)).toContain(id);
    expect(await found(stranger)).toEqual([]);
    for (const missing of [id, newId('document')]) {
      expect(await codeOf(getDocument(stranger, missing))).toBe('not_found');
      expect(await codeOf(deleteDocument(stranger, missing))).toBe('not_found');
      expect(await codeOf(save(stranger, { id: missing, expectedVersion: 1 }))).toBe('not_found');
    }
    expect((await listDocuments(stranger, {})).items).toEqual([]);
    expect((await getDocument(ada, id)).version).toBe(1);
  });

  it('is written with the right to, and on the record', async () => {
    const member = await world.actorOf('acme', await world.addPerson(ada, 'member'));
    expect(await codeOf(save(member))).toBe('permission_denied');
    const id = (await save(ada, { title: 'Brief' })).id as Id<'document'>;
    expect(await codeOf(knowledge.useCases.deleteDocument(member, id))).toBe('permission_denied');
    await knowledge.useCases.deleteDocument(ada, id);
    const audit = (await world.tenancy.listAuditEvents(ada, { limit: 2 })).items;
    expect(audit).toMatchObject([
      { type: 'document.deleted', target: { id, name: 'Brief' } },
      { type: 'document.created', target: { id, name: 'Brief' } },
    ]);
  });
});

const describeNow = (actor: Actor) => describeFor(actor, 'What is a PO?');

describe('a term', () => {
  const draft = { term: 'PO', meaning: 'Purchase order.', synonyms: ['order form'] };

  verifies('P-24', 'changes the revision and the next run’s summary as soon as it is edited', async () => {
    const { addTerm, editTerm, deleteTerm } = knowledge.useCases;
    const before = await describeNow(ada);
    const id = (await addTerm(ada, draft)).id as Id<'term'>;
    const added = await describeNow(ada);
    expect(added.summary).toContain('PO: order form = Purchase order.');
    expect(await editTerm(colleague, id, { ...draft, meaning: 'Asked of finance.', expectedVersion: 1 })).toMatchObject({ version: 2 });
    const edited = await describeNow(ada);
    expect(edited.summary).toContain('PO: order form = Asked of finance.');
    expect((await describeNow(stranger)).summary).not.toContain('PO');
    await deleteTerm(ada, id);
    expect(await describeNow(ada)).toEqual(before);
    expect(new Set([before, added, edited].map(({ revision }) => revision)).size).toBe(3);
    const types = (await world.tenancy.listAuditEvents(ada, { limit: 3 })).items.map(({ type }) => type);
    expect(types).toEqual(['term.deleted', 'term.updated', 'term.created']);
  });

  it('is saved by one of two who edited the same version, and once under one name', async () => {
    const { addTerm, editTerm, listTerms } = knowledge.useCases;
    const added = await Promise.allSettled([addTerm(ada, draft), addTerm(colleague, draft)]);
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [known] = (await listTerms(ada)).items;
    const id = known?.id as Id<'term'>;
    const edits = await Promise.allSettled(['one', 'two'].map((meaning) => editTerm(ada, id, { ...draft, meaning, expectedVersion: 1 })));
    expect(edits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(edits.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    const other = (await addTerm(ada, { ...draft, term: 'GRN' })).id as Id<'term'>;
    expect(await codeOf(editTerm(ada, other, { ...draft, expectedVersion: 1 }))).toBe('conflict');
    expect(await editTerm(ada, other, { ...draft, term: 'GRN', synonyms: [], expectedVersion: 1 })).toMatchObject({
      synonyms: [],
      version: 2,
    });
  });

  verifies(['P-18', 'K15'], 'is there for its own tenant alone', async () => {
    const { addTerm, getTerm, editTerm, deleteTerm, listTerms } = knowledge.useCases;
    const id = (await addTerm(ada, { ...draft, term: 'Vermilion' })).id as Id<'term'>;
    for (const missing of [id, newId('term')]) {
      expect(await codeOf(getTerm(stranger, missing))).toBe('not_found');
      expect(await codeOf(editTerm(stranger, missing, { ...draft, expectedVersion: 1 }))).toBe('not_found');
      expect(await codeOf(deleteTerm(stranger, missing))).toBe('not_found');
    }
    expect((await listTerms(stranger)).items).toEqual([]);
    // Another tenant may explain the same word.
    expect(await addTerm(stranger, { ...draft, term: 'Vermilion' })).toMatchObject({ version: 1 });
    expect((await getTerm(ada, id)).version).toBe(1);
  });

  it('is written with the right to', async () => {
    const { addTerm, getTerm, editTerm, deleteTerm } = knowledge.useCases;
    const member = await world.actorOf('acme', await world.addPerson(ada, 'member'));
    const id = (await addTerm(ada, { ...draft, term: 'Guarded' })).id as Id<'term'>;
    expect(await codeOf(addTerm(member, { ...draft, term: 'Another' }))).toBe('permission_denied');
    expect(await codeOf(editTerm(member, id, { ...draft, expectedVersion: 1 }))).toBe('permission_denied');
    expect(await codeOf(deleteTerm(member, id))).toBe('permission_denied');
    expect((await getTerm(member, id)).term).toBe('Guarded');
  });
});
