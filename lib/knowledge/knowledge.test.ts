import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#lib/audit/index.ts';
import { type Id, newId } from '#lib/kernel/index.ts';
import type { Actor, Permission } from '#lib/tenancy/index.ts';
import { createInMemoryDocuments, planningReaderOf, searchReaderOf } from '#lib/testing/in-memory-documents.ts';
import { createInMemoryFacts } from '#lib/testing/in-memory-facts.ts';
import { createInMemoryTerms } from '#lib/testing/in-memory-terms.ts';
import { deleteDocument } from './delete-document.ts';
import { describeForPlanning } from './describe-for-planning.ts';
import { describeOntology } from './describe-ontology.ts';
import { createFactMemory } from './fact-memory.ts';
import { addTerm, deleteTerm, editTerm } from './manage-terms.ts';
import type { KnowledgeUnitOfWork } from './ports.ts';
import { type DocumentDraft, saveDocument } from './save-document.ts';
import { searchDocuments } from './search-documents.ts';

/** One tenant's knowledge in memory, with what was audited. */
function world() {
  const audited: AuditEntry[] = [];
  const stores = {
    documents: createInMemoryDocuments(),
    terms: createInMemoryTerms(),
    facts: createInMemoryFacts(),
    audit: { record: async (entry: AuditEntry) => void audited.push(entry) },
  };
  const unitOfWork: KnowledgeUnitOfWork<'documents' | 'terms' | 'facts' | 'audit'> = { within: (_scope, work) => work(stores) };
  const readForSearch = searchReaderOf(stores);
  const scope = { tenantId: newId('tenant'), userId: newId('user') };
  const actor = (...permissions: Permission[]): Actor => ({
    kind: 'user',
    scope,
    displayName: 'Ada',
    email: 'ada@example.com',
    roleKey: 'builder',
    roleName: 'Builder',
    permissions: new Set(permissions),
    locale: null,
    timeZone: 'UTC',
  });
  const writer = actor('knowledge:write', 'knowledge:read');
  const save = (title: string, body: string, rest: Partial<DocumentDraft> = {}) =>
    saveDocument({ unitOfWork }, writer, { id: null, expectedVersion: null, title, language: 'en', body, ...rest });
  const search = async (query: string) =>
    (await searchDocuments({ readForSearch }, { scope, query, limit: 3 })).map(({ title, section, excerpt }) => ({
      title,
      section,
      excerpt,
    }));
  return { audited, stores, unitOfWork, readForSearch, scope, actor, writer, save, search };
}

const LIBRARY = '# Library\n\n## Opening hours\n\nDaily from 8:00 to 22:00.\n\n## Fines\n\nA late book costs 0.2 yuan a day.';

describe('saveDocument', () => {
  it('stores, indexes and records a document', async () => {
    const { audited, save, search } = world();
    const saved = await save('Library', LIBRARY);
    expect(saved).toMatchObject({ title: 'Library', version: 1 });
    expect(audited).toEqual([
      {
        type: 'document.created',
        target: { kind: 'document', id: saved.id, name: 'Library' },
        details: { version: 1, language: 'en', chunks: 2 },
      },
    ]);
    expect(await search('how much is a late book?')).toEqual([
      { title: 'Library', section: 'Fines', excerpt: 'A late book costs 0.2 yuan a day.' },
    ]);
  });

  it('answers differently once the document is edited', async () => {
    const { audited, save, search } = world();
    const { id } = await save('Library', LIBRARY);
    await save('Library', LIBRARY.replace('22:00', '23:30'), { id, expectedVersion: 1 });
    expect(await search('library opening hours')).toMatchObject([{ excerpt: 'Daily from 8:00 to 23:30.' }]);
    expect(audited.map(({ type }) => type)).toEqual(['document.created', 'document.updated']);
  });

  it('refuses without the right, without a title, over the limits, for an unknown id and over somebody else’s save', async () => {
    const { audited, unitOfWork, actor, save } = world();
    const draft: DocumentDraft = { id: null, expectedVersion: null, title: 'x', language: 'en', body: 'x' };
    await expect(saveDocument({ unitOfWork }, actor('knowledge:read'), draft)).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(save('  ', 'x')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(save('x'.repeat(201), 'x')).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(save('x', 'x'.repeat(400_001))).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(save('x', 'x', { id: newId('document'), expectedVersion: 1 })).rejects.toMatchObject({ code: 'not_found' });
    expect(audited).toEqual([]);
    const { id } = await save('x', 'x');
    await save('x', 'y', { id, expectedVersion: 1 });
    await expect(save('x', 'z', { id, expectedVersion: 1 })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('deleteDocument', () => {
  it('removes it from the search and records that', async () => {
    const { audited, unitOfWork, writer, save, search } = world();
    const { id } = await save('Library', LIBRARY);
    await deleteDocument({ unitOfWork }, writer, id);
    expect(await search('late book')).toEqual([]);
    expect(audited.at(-1)).toMatchObject({ type: 'document.deleted', target: { id, name: 'Library' } });
    await expect(deleteDocument({ unitOfWork }, writer, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('searchDocuments', () => {
  it('prefers the document that the query names', async () => {
    const { save, search } = world();
    await save('Gym', '# Gym\n\n## Opening hours\n\nDaily from 7:00.');
    await save('Library', LIBRARY);
    expect((await search('library opening hours'))[0]).toMatchObject({ title: 'Library' });
    expect((await search('gym opening hours'))[0]).toMatchObject({ title: 'Gym' });
  });

  it('finds Chinese without spaces, by single words between others too', async () => {
    const { save, search } = world();
    await save('图书馆', '# 图书馆\n\n## 借阅\n\n本科生最多可借 15 本。\n\n## 开放\n\n每天 8:00 开门。', { language: 'zh-CN' });
    expect(await search('图书馆能借几本书')).toMatchObject([{ section: '借阅' }]);
    expect(await search('图书馆几点开门')).toMatchObject([{ section: '开放' }]);
  });

  it('finds nothing for nothing, for stop words and for what is not there', async () => {
    const { save, search } = world();
    await save('Library', LIBRARY);
    for (const query of ['', 'what is the', '请问', 'submarine', '\u0000\ud800', '🎉']) expect(await search(query)).toEqual([]);
  });

  it('keeps to the limit', async () => {
    const { readForSearch, scope, save } = world();
    for (let index = 0; index < 6; index += 1) await save(`Rule ${index}`, 'Parrots are allowed.');
    expect(await searchDocuments({ readForSearch }, { scope, query: 'parrots', limit: 2 })).toHaveLength(2);
  });
});

describe('describeOntology', () => {
  it('has a line for each document, and another revision after every change', async () => {
    const { unitOfWork, scope, writer, save } = world();
    const describeNow = () => describeOntology({ unitOfWork }, scope);
    const empty = await describeNow();
    expect(empty.summary).toBe('');
    const { id } = await save('Library', LIBRARY);
    const one = await describeNow();
    expect(one.summary).toBe('Library: Opening hours, Fines');
    await save('Library', LIBRARY, { id, expectedVersion: 1 });
    const edited = await describeNow();
    await save('Canteen', 'Open daily.');
    const two = await describeNow();
    expect(two.summary).toBe('Canteen\nLibrary: Opening hours, Fines');
    await deleteDocument({ unitOfWork }, writer, id);
    const revisions = [empty, one, edited, two, await describeNow()].map(({ revision }) => revision);
    expect(new Set(revisions).size).toBe(5);
    expect((await describeNow()).revision).toBe(revisions.at(-1));
  });
});

describe('terms', () => {
  const CAPABILITIES = [
    { id: 'math.calculate', version: '1.0.0', domain: 'math' },
    { id: 'time.now', version: '1.0.0', domain: 'time' },
  ];

  it('stand in the summary before documents, with what else they are called and what they mean', async () => {
    const { unitOfWork, scope, writer, save } = world();
    await save('Library', LIBRARY);
    const empty = await describeOntology({ unitOfWork }, scope, CAPABILITIES);
    expect(empty.summary).toBe('Library: Opening hours, Fines\n= math, time');
    const draft = { term: ' PO ', meaning: 'Purchase\norder.', synonyms: ['order form', 'po', ' order  form', ''] };
    const { id } = await addTerm({ unitOfWork }, writer, draft);
    const added = await describeOntology({ unitOfWork }, scope, CAPABILITIES);
    expect(added.summary).toBe('PO: order form = Purchase order.\nLibrary: Opening hours, Fines\n= math, time');
    await editTerm({ unitOfWork }, writer, id as Id<'term'>, { ...draft, meaning: 'Asked of finance.', expectedVersion: 1 });
    const edited = await describeOntology({ unitOfWork }, scope, CAPABILITIES);
    expect(edited.summary).toContain('PO: order form = Asked of finance.');
    await deleteTerm({ unitOfWork }, writer, id as Id<'term'>);
    expect(await describeOntology({ unitOfWork }, scope, CAPABILITIES)).toEqual(empty);
    const newer = CAPABILITIES.map((capability) => ({ ...capability, version: '1.1.0' }));
    const upgraded = await describeOntology({ unitOfWork }, scope, newer);
    expect(new Set([empty, added, edited, upgraded].map(({ revision }) => revision)).size).toBe(4);
  });

  it('find documents under all their names, whole names only', async () => {
    const { stores, unitOfWork, scope, writer, save, search } = world();
    await save('Purchasing', '# Purchasing\n\n## Limits\n\nA purchase order above 500 needs finance.');
    await save('Travel', '# Travel\n\n## Tickets\n\nAn order form is at the front desk.');
    expect(await search('limit of a Bestellung')).toMatchObject([{ title: 'Purchasing' }]);
    expect(await search('Bestellung')).toEqual([]);
    await addTerm({ unitOfWork }, writer, {
      term: 'purchase order',
      meaning: 'What finance approves.',
      synonyms: ['Bestellung', '采购单'],
    });
    expect(await search('Bestellung')).toMatchObject([{ title: 'Purchasing', excerpt: 'A purchase order above 500 needs finance.' }]);
    expect(await search('采购单')).toMatchObject([{ title: 'Purchasing' }]);
    expect((await search('order form')).map(({ title }) => title)).toEqual(['Travel']);
    const { documents } = await describeForPlanning({ readForPlanning: planningReaderOf(stores) }, { scope, message: 'Bestellung' });
    expect([...documents.frequency.keys()]).toContain('bestellung');
    expect([...(documents.passages[0] ?? [])]).toContain('bestellung');
  });
});

describe('createFactMemory', () => {
  const clock = { now: () => new Date('2025-03-12T00:00:00Z') };

  function memory() {
    const { audited, unitOfWork, scope } = world();
    const facts = createFactMemory({ unitOfWork, clock });
    const remember = (text: string, invocationId: Id<'invocation'> = newId('invocation')) =>
      facts.remember({ scope, text, runId: newId('run'), invocationId });
    const recall = async (query: string | null, userId: Id<'user'> = scope.userId) =>
      (await facts.recall({ scope: { ...scope, userId }, query })).map(({ text }) => text);
    const forget = async (query: string) => (await facts.forget({ scope, query, runId: newId('run') })).map(({ text }) => text);
    return { audited, remember, recall, forget };
  }

  it('keeps one fact for an invocation that is repeated after a crash', async () => {
    const { remember, recall } = memory();
    const invocationId = newId('invocation');
    const [first, second] = [await remember('I like tea', invocationId), await remember('I like tea', invocationId)];
    expect(second.id).toBe(first.id);
    expect(await recall(null)).toEqual(['I like tea']);
  });

  it('recalls by what is meant, newest first without a question, and for the person alone', async () => {
    const { remember, recall } = memory();
    await remember('I prefer window seats');
    await remember('我住在3号楼502');
    expect(await recall(null)).toEqual(['我住在3号楼502', 'I prefer window seats']);
    expect(await recall('my seat preference')).toEqual(['I prefer window seats']);
    expect(await recall('我住哪栋楼')).toEqual(['我住在3号楼502']);
    expect(await recall('blood type')).toEqual([]);
    expect(await recall(null, newId('user'))).toEqual([]);
  });

  it('forgets only what the words clearly name, and records both', async () => {
    const { audited, remember, recall, forget } = memory();
    await remember('my locker code is 4417');
    await remember('my bike lock code is 9000');
    expect(await forget('anything about my weekend plans')).toEqual([]);
    expect(await forget('my locker code')).toEqual(['my locker code is 4417']);
    expect(await recall(null)).toEqual(['my bike lock code is 9000']);
    expect(audited.map(({ type }) => type)).toEqual(['fact.remembered', 'fact.remembered', 'fact.forgotten']);
    // What a person keeps is theirs: the log names the fact, not its words.
    expect(JSON.stringify(audited)).not.toContain('4417');
  });
});
