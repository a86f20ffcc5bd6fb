import type { Database } from '#db/client.ts';
import type { TenantStores } from '#db/stores/index.ts';
import { createPlanningReader } from '#db/stores/planning-reader.ts';
import { createSearchReader } from '#db/stores/search-reader.ts';
import { createNearestReader, createServingSpaceReader, createVectorSupportReader } from '#db/stores/vector-readers.ts';
import type { CapabilityRegistry } from '#lib/capabilities/index.ts';
import type { Clock, UnitOfWork } from '#lib/kernel/index.ts';
import { createFileReader } from '#lib/knowledge/adapters/file-reader.ts';
import {
  addFact,
  addTerm,
  chooseEmbeddingModel,
  createFactMemory,
  createMeaningSearch,
  type DocumentDraft,
  deleteDocument,
  deleteTerm,
  describeForPlanning,
  type EmbedDependencies,
  editFact,
  editTerm,
  findPassage,
  forgetFact,
  getDocument,
  getDocumentSearch,
  getTerm,
  importAddress,
  importFile,
  listDocuments,
  listFacts,
  listTerms,
  removeEmbeddingModel,
  saveDocument,
  searchDocuments,
  testEmbeddingModel,
  toDocumentSummaryView,
} from '#lib/knowledge/index.ts';
import type { GuardedFetch } from '#lib/outbound/index.ts';
import type { OntologySource } from '#lib/supervisor/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';

/** The embedding model of a provider of a tenant, by name. */
type OpenEmbedding = EmbedDependencies['openModel'];

/** Documents and facts of a tenant, for people and for capabilities. */
export function composeKnowledge(parts: {
  database: Database;
  unitOfWork: UnitOfWork<TenantStores>;
  clock: Clock;
  fetch: GuardedFetch;
  openEmbedding: OpenEmbedding;
}) {
  const importing = { unitOfWork: parts.unitOfWork, fileReader: createFileReader(), fetch: parts.fetch };
  const readForPlanning = createPlanningReader(parts.database.sql);
  const readForSearch = createSearchReader(parts.database.sql);
  const embedding = { ...parts, openModel: parts.openEmbedding, readSupport: createVectorSupportReader(parts.database.sql) };
  const searchMeaning = createMeaningSearch({
    ...embedding,
    readSpace: createServingSpaceReader(parts.database.sql),
    readNearest: createNearestReader(parts.database.sql),
  });
  return {
    /** Capabilities are told apart: some of them search what this module keeps. */
    ontologyWith: (registry: Pick<CapabilityRegistry, 'list'>): OntologySource => ({
      describe: (scope, message) => {
        const capabilities = registry.list(scope.tenantId).then((listed) => listed.filter(({ status }) => status !== 'disabled'));
        return describeForPlanning({ readForPlanning }, { scope, message, capabilities });
      },
    }),
    factMemory: createFactMemory(parts),
    passages: {
      search: (request: Parameters<typeof searchDocuments>[1]) => searchDocuments({ readForSearch, searchMeaning }, request),
    },
    useCases: {
      listDocuments: listDocuments.bind(null, parts),
      getDocument: getDocument.bind(null, parts),
      findPassage: findPassage.bind(null, parts),
      saveDocument: async (actor: Actor, draft: DocumentDraft) => toDocumentSummaryView(await saveDocument(parts, actor, draft)),
      importFile: async (...[actor, file]: [Actor, Parameters<typeof importFile>[2]]) =>
        toDocumentSummaryView(await importFile(importing, actor, file)),
      importAddress: async (actor: Actor, url: string) => toDocumentSummaryView(await importAddress(importing, actor, url)),
      deleteDocument: deleteDocument.bind(null, parts),
      listTerms: listTerms.bind(null, parts),
      getTerm: getTerm.bind(null, parts),
      addTerm: addTerm.bind(null, parts),
      editTerm: editTerm.bind(null, parts),
      deleteTerm: deleteTerm.bind(null, parts),
      getDocumentSearch: getDocumentSearch.bind(null, embedding),
      chooseEmbeddingModel: chooseEmbeddingModel.bind(null, embedding),
      removeEmbeddingModel: removeEmbeddingModel.bind(null, embedding),
      testEmbeddingModel: testEmbeddingModel.bind(null, embedding),
      listFacts: listFacts.bind(null, parts),
      addFact: addFact.bind(null, parts),
      editFact: editFact.bind(null, parts),
      forgetFact: forgetFact.bind(null, parts),
    },
  };
}
