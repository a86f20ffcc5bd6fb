export { deleteDocument } from './delete-document.ts';
export { describeForPlanning } from './describe-for-planning.ts';
export type { OntologyDescription } from './describe-ontology.ts';
export { type DocumentChunk, findTitle } from './domain/chunking.ts';
export {
  DOCUMENT_LANGUAGES,
  type DocumentLanguage,
  type DocumentOutline,
  type DocumentSummary,
  type KnowledgeDocument,
} from './domain/document.ts';
export type { EmbeddingSpace } from './domain/embedding-space.ts';
export type { CandidateChunk, SearchCandidates } from './domain/search-candidates.ts';
export type { OntologyTerm, OntologyTermDraft } from './domain/term.ts';
export { type EmbedDependencies, embedDocuments } from './embed-documents.ts';
export { createFactMemory } from './fact-memory.ts';
export { FILE_LIMIT_BYTES, importAddress, importFile } from './import-document.ts';
export { chooseEmbeddingModel, getDocumentSearch, removeEmbeddingModel, testEmbeddingModel } from './manage-embedding.ts';
export { addFact, editFact, forgetFact, listFacts } from './manage-facts.ts';
export { addTerm, deleteTerm, editTerm, getTerm, listTerms } from './manage-terms.ts';
export type {
  DocumentEvidence,
  DocumentStore,
  EmbeddingQueue,
  EmbeddingSpaceStore,
  Fact,
  FactStore,
  FileReader,
  IndexedChunk,
  KnowledgeStores,
  KnowledgeUnitOfWork,
  NearestReader,
  PlanningReader,
  SearchReader,
  ServingSpaceReader,
  TermStore,
  VectorSupportReader,
} from './ports.ts';
export { findPassage, getDocument, listDocuments, toDocumentSummaryView } from './read-documents.ts';
export { type DocumentDraft, indexDocument, saveDocument } from './save-document.ts';
export { createMeaningSearch } from './search-by-meaning.ts';
export { type Passage, searchDocuments } from './search-documents.ts';
