export { deleteDocument } from './delete-document.ts';
export { describeOntology, type OntologyDescription, toOntology } from './describe-ontology.ts';
export { chunkDocument, type DocumentChunk, findTitle } from './domain/chunking.ts';
export {
  DOCUMENT_LANGUAGES,
  type DocumentLanguage,
  type DocumentOutline,
  type DocumentSummary,
  type KnowledgeDocument,
} from './domain/document.ts';
export { createFactMemory } from './fact-memory.ts';
export type { CandidateChunk, SearchCandidates } from './domain/search-candidates.ts';
export type { DocumentStore, Fact, FactStore, IndexedChunk, KnowledgeStores, KnowledgeUnitOfWork } from './ports.ts';
export { DOCUMENT_LENGTH_LIMIT, type DocumentDraft, indexDocument, saveDocument, TITLE_LENGTH_LIMIT } from './save-document.ts';
export { type Passage, searchDocuments } from './search-documents.ts';
export { addFact, editFact, forgetFact, listFacts } from './manage-facts.ts';
export { getDocument, listDocuments, toDocumentSummaryView } from './read-documents.ts';
export { type DocumentEvidence, describeForPlanning } from './describe-for-planning.ts';
