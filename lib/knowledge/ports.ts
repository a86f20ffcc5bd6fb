import type { AuditLog } from '#lib/audit/index.ts';
import type { Id, TenantScope, UnitOfWork } from '#lib/kernel/index.ts';
import type { Price, StoredProvider } from '#lib/models/index.ts';
import type { TokenCounts } from './domain/chunk-tokens.ts';
import type { DocumentChunk } from './domain/chunking.ts';
import type { DocumentLanguage, DocumentOutline, DocumentSummary, KnowledgeDocument } from './domain/document.ts';
import type { EmbeddingSpace, VectorSupport } from './domain/embedding-space.ts';
import type { NearChunks } from './domain/fuse-rankings.ts';
import type { ReadableFile } from './domain/readable-file.ts';
import type { SearchCandidates } from './domain/search-candidates.ts';
import type { OntologyTerm, OntologyTermDraft } from './domain/term.ts';

/** What a file says. */
export interface ReadFile {
  readonly title: string;
  readonly markdown: string;
}

/** Reads files that people hand in. */
export interface FileReader {
  /** Throws `unreadable_document` for what cannot be read, with the reason. */
  read(file: ReadableFile): Promise<ReadFile>;
}

/** A chunk with what the index keeps about it. */
export interface IndexedChunk extends DocumentChunk {
  readonly id: Id<'chunk'>;
  readonly tokens: TokenCounts;
  /** The sum of the counts. */
  readonly tokenCount: number;
}

/** The documents of one tenant, bound to a transaction. */
export interface DocumentStore {
  /** Newest first by id; `after` is the last id of the page before. */
  list(page: { limit: number; after: Id<'document'> | null }): Promise<DocumentSummary[]>;
  /** All documents with their section headings, by title. At most `limit`. */
  listOutlines(limit: number): Promise<DocumentOutline[]>;
  find(documentId: Id<'document'>): Promise<KnowledgeDocument | null>;
  /** One passage of a document, as search finds it. */
  findPassage(documentId: Id<'document'>, chunkId: Id<'chunk'>): Promise<{ section: string; text: string } | null>;
  /**
   * Writes the document and replaces its chunks and tokens. `expectedVersion` is the version the writer saw, null for a
   * new one; throws `conflict` when another is stored. Returns what was stored, its version raised by one.
   */
  put(entry: {
    document: { id: Id<'document'>; title: string; language: DocumentLanguage; body: string };
    chunks: readonly IndexedChunk[];
    expectedVersion: number | null;
  }): Promise<DocumentSummary>;
  /** With chunks and tokens. False when there is none. */
  delete(documentId: Id<'document'>): Promise<boolean>;
}

/**
 * What a search asks of a tenant's documents and terms, in one round trip: the `limit` chunks that have the most of the
 * tokens, rare ones counting most, with the collection's statistics, and the terms by name.
 */
export type SearchReader = (
  scope: TenantScope,
  request: { tokens: readonly string[]; limit: number; termLimit: number },
) => Promise<{ readonly candidates: SearchCandidates; readonly terms: readonly OntologyTerm[] }>;

/** Which words of a message the tenant's documents have, and which of them together in one passage. */
export interface DocumentEvidence {
  /** Passages the tenant has. */
  readonly passageCount: number;
  /** For each token of the message, in how many passages it stands; absent means none. */
  readonly frequency: ReadonlyMap<string, number>;
  /** The passages that have the most of the message's tokens, each as the tokens it has. */
  readonly passages: readonly ReadonlySet<string>[];
}

/** What planning asks of a tenant's documents and terms, in one round trip: every run asks. Without tokens the evidence has no words. */
export type PlanningReader = (
  scope: TenantScope,
  request: { outlineLimit: number; termLimit: number; tokens: readonly string[]; passageLimit: number },
) => Promise<{
  readonly outlines: readonly DocumentOutline[];
  readonly terms: readonly OntologyTerm[];
  readonly evidence: DocumentEvidence;
}>;

/** The terms of one tenant, bound to a transaction. */
export interface TermStore {
  /** By term. */
  list(limit: number): Promise<OntologyTerm[]>;
  find(id: Id<'term'>): Promise<OntologyTerm | null>;
  /**
   * `expectedVersion` is the version the writer saw, null for a new term; throws `conflict` when another is stored, or when
   * the tenant has explained this term already. Returns what was stored, its version raised by one.
   */
  put(entry: { term: OntologyTermDraft & { readonly id: Id<'term'> }; expectedVersion: number | null }): Promise<OntologyTerm>;
  /** False when there is none. */
  delete(id: Id<'term'>): Promise<boolean>;
}

/** A space with how much of it there is. */
export interface EmbeddingSpaceRecord extends EmbeddingSpace {
  readonly embedded: number;
  /** Passages the tenant has. */
  readonly passages: number;
}

/** Work on a space that a process has taken on. */
export interface EmbeddingTurn {
  readonly space: EmbeddingSpace;
  /** What is written under another is refused. */
  readonly epoch: number;
  /** What was wanted when it began. */
  readonly wanted: number;
  readonly failures: number;
}

export interface PassageToEmbed {
  readonly chunkId: Id<'chunk'>;
  readonly title: string;
  readonly section: string;
  readonly text: string;
}

/** The spaces of one tenant, bound to a transaction: at most one that serves and one that is built. */
export interface EmbeddingSpaceStore {
  list(): Promise<EmbeddingSpaceRecord[]>;
  findProvider(id: Id<'modelProvider'>): Promise<(StoredProvider & { readonly name: string }) | null>;
  /** Begins a space, in the place of one that was being built. */
  begin(space: { id: Id<'embeddingSpace'>; providerId: Id<'modelProvider'>; model: string; price: Price | null }): Promise<void>;
  /** Builds the serving space's model anew: it answers in another length than it did. Nothing where one is built already. */
  rebuild(id: Id<'embeddingSpace'>): Promise<void>;
  /** All of them, with their vectors. */
  removeAll(): Promise<void>;
  /** Takes work on; null when there is none, or another process has it, or it is too early to try again. */
  take(id: Id<'embeddingSpace'>, leaseMs: number): Promise<EmbeddingTurn | null>;
  /** Passages without a vector, by id, beginning behind `after`. */
  listMissing(id: Id<'embeddingSpace'>, page: { after: Id<'chunk'> | null; limit: number }): Promise<PassageToEmbed[]>;
  /** False when another has taken the work on, or the space is gone. Passages that are gone meanwhile are left out. */
  addVectors(
    id: Id<'embeddingSpace'>,
    epoch: number,
    batch: { dimensions: number; vectors: readonly { chunkId: Id<'chunk'>; vector: readonly number[] }[]; leaseMs: number },
  ): Promise<boolean>;
  /** Nothing is missing as of `wanted`: a space that was built serves from now on, and the one before it leaves. */
  finish(id: Id<'embeddingSpace'>, epoch: number, wanted: number): Promise<void>;
  /** Work stops until `retryAt`. */
  stumble(id: Id<'embeddingSpace'>, epoch: number, problem: { message: string; retryAt: Date }): Promise<void>;
  /** What a search found: the reason it could not use the space, or null that it could. */
  noteSearch(id: Id<'embeddingSpace'>, problem: string | null): Promise<void>;
}

/** Work of every tenant. */
export interface EmbeddingQueue {
  listDue(now: Date, limit: number): Promise<{ readonly tenantId: Id<'tenant'>; readonly spaceId: Id<'embeddingSpace'> }[]>;
}

/** The space that serves a tenant's searches; null where none does. Read together with what else is read at this moment. */
export type ServingSpaceReader = (scope: TenantScope) => Promise<EmbeddingSpace | null>;

/** The tenant's passages nearest to a vector, of at most `limit`. */
export type NearestReader = (
  scope: TenantScope,
  request: { spaceId: Id<'embeddingSpace'>; vector: readonly number[]; limit: number },
) => Promise<NearChunks>;

/** What the database can do; asked at most once a minute. */
export type VectorSupportReader = () => Promise<VectorSupport>;

/** Something a person asked to be remembered. */
export interface Fact {
  readonly id: Id<'fact'>;
  readonly userId: Id<'user'>;
  readonly text: string;
  /** The run that kept it; null when the person wrote it. */
  readonly runId: Id<'run'> | null;
  readonly createdAt: Date;
}

/** The facts of the people of one tenant, bound to a transaction. Every method is for one person's facts only. */
export interface FactStore {
  /** Newest first. */
  list(userId: Id<'user'>, limit: number): Promise<Fact[]>;
  /** Adds the fact, or changes the text of the one with its id. */
  put(fact: Fact): Promise<void>;
  /** False when the person has no such fact. */
  forget(userId: Id<'user'>, factId: Id<'fact'>): Promise<boolean>;
}

/** What the use cases of this module need inside one transaction. */
export interface KnowledgeStores {
  readonly documents: DocumentStore;
  readonly terms: TermStore;
  readonly facts: FactStore;
  readonly embeddingSpaces: EmbeddingSpaceStore;
  readonly audit: AuditLog;
}

/** Use cases ask for the stores they touch; a unit of work that hands out more fits too. */
export type KnowledgeUnitOfWork<Stores extends keyof KnowledgeStores = keyof KnowledgeStores> = UnitOfWork<Pick<KnowledgeStores, Stores>>;
