import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { newId } from '#lib/kernel/index.ts';
import {
  type DocumentEvidence,
  type DocumentLanguage,
  describeForPlanning,
  findTitle,
  indexDocument,
  type OntologyDescription,
  type Passage,
  searchDocuments,
} from '#lib/knowledge/index.ts';
import { createInMemoryDocuments, planningReaderOf, searchReaderOf } from '#lib/testing/in-memory-documents.ts';
import { createInMemoryTerms } from '#lib/testing/in-memory-terms.ts';

const FOLDER = path.resolve('db/seed/handbook');

/** The demo tenant's documents as they are seeded. */
export function readHandbook(): { title: string; language: DocumentLanguage; body: string }[] {
  const languages: readonly DocumentLanguage[] = ['en', 'zh-CN'];
  return languages.flatMap((language) =>
    readdirSync(path.join(FOLDER, language))
      .sort()
      .map((file) => {
        const body = readFileSync(path.join(FOLDER, language, file), 'utf8');
        return { title: findTitle(body) ?? file, language, body };
      }),
  );
}

/** A tenant that has the handbook and nothing else. */
export async function handbookTenant(): Promise<{
  describe(message: string): Promise<OntologyDescription & { readonly documents: DocumentEvidence }>;
  search(query: string, limit?: number): Promise<Passage[]>;
}> {
  const documents = createInMemoryDocuments();
  for (const { title, language, body } of readHandbook()) {
    await documents.put({
      document: { id: newId('document'), title, language, body },
      chunks: indexDocument(title, body),
      expectedVersion: null,
    });
  }
  const terms = createInMemoryTerms();
  const scope = { tenantId: newId('tenant') };
  return {
    describe: (message) => describeForPlanning({ readForPlanning: planningReaderOf({ documents, terms }) }, { scope, message }),
    search: (query, limit = 3) => searchDocuments({ readForSearch: searchReaderOf({ documents, terms }) }, { scope, query, limit }),
  };
}
