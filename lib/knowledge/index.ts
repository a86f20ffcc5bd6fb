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
export type { CandidateChunk, SearchCandidates } from './domain/search-candidates.ts';
export type { OntologyTerm, OntologyTermDraft } from './domain/term.ts';
export { createFactMemory } from './fact-memory.ts';
export { FILE_LIMIT_BYTES, importAddress, importFile } from './import-document.ts';
export { addFact, editFact, forgetFact, listFacts } from './manage-facts.ts';
export { addTerm, deleteTerm, editTerm, getTerm, listTerms } from './manage-terms.ts';
export type {
  DocumentEvidence,
  DocumentStore,
  Fact,
  FactStore,
  FileReader,
  IndexedChunk,
  KnowledgeStores,
  KnowledgeUnitOfWork,
  PlanningReader,
  SearchReader,
  TermStore,
} from './ports.ts';
export { findPassage, getDocument, listDocuments, toDocumentSummaryView } from './read-documents.ts';
export { type DocumentDraft, indexDocument, saveDocument } from './save-document.ts';
export { type Passage, searchDocuments } from './search-documents.ts';
