import type { Guard } from './guard.ts';

const MEANING_TESTS = ['lib/knowledge/search-by-meaning.integration.test.ts'];

/** Of documents: what they say, and searching them by meaning. */
export const KNOWLEDGE_GUARDS: readonly Guard[] = [
  {
    id: 'outside-content-in-context',
    guards: 'A run whose model was told words of others asks before it writes.',
    file: 'lib/supervisor/drive-run.ts',
    find: 'this.#consent.hasOutsideContext = hasOutsideContent(context.fragments);',
    replace: '',
    tests: ['lib/supervisor/approval-of-model-calls.integration.test.ts'],
  },
  {
    id: 'embedding-choose-permission',
    guards: 'An embedding model is chosen by who may manage models.',
    file: 'lib/knowledge/manage-embedding.ts',
    find: "requirePermission(actor, 'model:manage');\n  const support",
    replace: 'const support',
    tests: MEANING_TESTS,
  },
  {
    id: 'embedding-budget',
    guards: 'A call of an embedding model is refused where a budget has not enough left.',
    file: 'db/stores/embedding-call-store.ts',
    find: 'if (short) return toStanding(short);',
    replace: '',
    tests: MEANING_TESTS,
  },
  {
    id: 'embedding-audit',
    guards: 'A call of an embedding model is on the record.',
    file: 'lib/models/embed-texts.ts',
    find: "type: 'model.called'",
    replace: "type: 'model-provider.tested'",
    tests: MEANING_TESTS,
  },
  {
    id: 'embedding-before-complete',
    guards: 'The model that serves stays until the next has all passages.',
    file: 'lib/knowledge/embed-documents.ts',
    find: 'if (missing.length === 0) break;',
    replace: 'if (missing.length === 0 || after !== null) break;',
    tests: MEANING_TESTS,
  },
  {
    id: 'embedding-dimensions',
    guards: 'Vectors of two lengths are never compared.',
    file: 'lib/knowledge/search-by-meaning.ts',
    find: 'if (vector?.length !== space.dimensions) {',
    replace: 'if (vector === undefined) {',
    tests: MEANING_TESTS,
  },
];
