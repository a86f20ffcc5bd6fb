// Who may import whom. Calls go app -> use case -> domain -> store; imports point inward, and what is not named here is
// refused. A module is entered by index.ts (server) or contract.ts (shapes the browser may see).
// scripts/dependency-rules.test.ts plants a violation of each rule and expects it to be caught.
const base = ['kernel', 'config', 'telemetry'];
const mayImport = {
  kernel: [],
  config: ['kernel'],
  telemetry: ['kernel', 'config'],
  tenancy: base,
  audit: [...base, 'tenancy'],
  models: [...base, 'tenancy', 'audit', 'outbound'],
  outbound: base,
  capabilities: [...base, 'tenancy', 'audit'],
  durable: base,
  graph: [...base, 'durable'],
  conversations: [...base, 'tenancy', 'audit', 'models'],
  knowledge: [...base, 'tenancy', 'audit', 'models', 'capabilities'],
  context: [...base, 'tenancy', 'conversations', 'knowledge'],
  flows: [...base, 'tenancy', 'audit', 'graph', 'capabilities'],
  agents: [...base, 'tenancy', 'audit', 'models', 'capabilities', 'conversations', 'context', 'graph', 'durable'],
  skills: [...base, 'tenancy', 'audit', 'capabilities', 'context', 'graph'],
  workspace: [...base, 'tenancy', 'audit', 'capabilities'],
  mcp: [...base, 'tenancy', 'audit', 'capabilities', 'outbound'],
  plugins: [...base, 'tenancy', 'audit', 'capabilities', 'context', 'agents', 'flows', 'skills', 'knowledge', 'graph'],
  supervisor: [
    ...base,
    'tenancy',
    'audit',
    'models',
    'capabilities',
    'conversations',
    'context',
    'knowledge',
    'agents',
    'graph',
    'flows',
    'skills',
    'durable',
  ],
  record: [...base, 'tenancy', 'audit', 'capabilities', 'conversations', 'supervisor'],
  notifications: [...base, 'tenancy', 'audit', 'outbound', 'i18n'],
  a2a: [...base, 'tenancy', 'audit', 'capabilities', 'conversations', 'agents', 'supervisor'],
  auth: [...base, 'tenancy', 'audit', 'outbound'],
  oauth: [...base, 'tenancy', 'audit'],
  i18n: ['kernel'],
  http: [...base, 'tenancy', 'auth', 'audit', 'oauth', 'supervisor', 'record'],
};

const TEST = '\\.(test|spec)\\.tsx?$';
const DOOR = '^lib/[^/]+/(index|contract)\\.ts$';
/** What the product loads for the crash and end-to-end tests, when a setting asks for it. */
const TEST_DOORS = '^lib/testing/(effect-capabilities|fault-hook)\\.ts$';
const WIRING = '^lib/(composition|testing)/';
const FOUNDATION = '^lib/(kernel|config|telemetry|i18n)/';
const ZOD = '(^|/)node_modules/zod/';
// Hashing is arithmetic.
const HASHING = '^(node:)?crypto$';
const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    error(
      'no-cycles',
      'a cycle means two files are one (imports of types count: the parser does not tell them apart)',
      { pathNot: TEST },
      { circular: true },
    ),
    error('resolvable', 'what cannot be found cannot be checked', {}, { couldNotResolve: true }),
    error(
      'only-listed-modules',
      'a new folder under lib/ is a decision: add it to mayImport',
      { path: '^lib/[^/]+/', pathNot: [WIRING, ...Object.keys(mayImport).map((module) => `^lib/${module}/`)] },
      {},
    ),
    ...Object.entries(mayImport).map(([module, allowed]) =>
      error(
        `${module}-may-import`,
        `lib/${module} may import: ${allowed.join(', ') || 'nothing'}`,
        { path: `^lib/${module}/`, pathNot: TEST },
        { path: '^lib/', pathNot: [module, ...allowed].map((name) => `^lib/${name}/`) },
      ),
    ),
    error(
      'enter-by-the-door',
      'import index.ts or contract.ts of another module, never an inner file',
      { path: '^lib/([^/]+)/', pathNot: [WIRING, TEST] },
      { path: '^lib/[^/]+/', pathNot: ['^lib/$1/', DOOR] },
    ),
    error(
      'outside-enters-by-the-door',
      'as above, from app, components, db and e2e',
      { path: '^(app|components|db|e2e)/|^[^/]+\\.ts$', pathNot: TEST },
      { path: '^lib/[^/]+/', pathNot: [DOOR, '^lib/testing/', '^lib/composition/start-server\\.ts$'] },
    ),
    error(
      'domain-is-pure',
      'domain/ knows no vendor, no Node, no use case',
      { path: '^lib/([^/]+)/domain/', pathNot: TEST },
      { pathNot: ['^lib/$1/domain/', '^lib/[^/]+/(index|contract)\\.ts$', ZOD, HASHING] },
    ),
    error(
      'vendors-live-in-adapters',
      'wrap it in a port and an adapter',
      { path: '^lib/', pathNot: ['/adapters/', '^lib/(auth|http)/', FOUNDATION, WIRING, TEST] },
      { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'core'], pathNot: [ZOD, HASHING] },
    ),
    error(
      'durable-engine-stays-in-its-adapter',
      'the engine is behind our port',
      { pathNot: '^lib/durable/adapters/' },
      { path: '(^|/)node_modules/@dbos-inc/' },
    ),
    error(
      'adapters-are-chosen-in-composition',
      'nothing else may pick an implementation',
      { path: '^(app|components|db|e2e|lib)/', pathNot: [WIRING, '^lib/[^/]+/adapters/', TEST] },
      { path: '^lib/[^/]+/adapters/' },
    ),
    error(
      'db-is-reached-through-ports',
      'ask a store port; composition supplies it',
      { path: '^(app|components|lib)/', pathNot: [WIRING, TEST] },
      { path: '^db/' },
    ),
    error(
      'components-see-contracts',
      'the browser sees contract.ts shapes only',
      { path: '^components/', pathNot: TEST },
      { path: '^(lib|app|db)/', pathNot: '^lib/((kernel|i18n)/index|[^/]+/contract)\\.ts$' },
    ),
    error('core-knows-no-ui', 'lib and db never look up', { path: '^(lib|db)/', pathNot: TEST }, { path: '^(app|components|e2e)/' }),
    error(
      'product-knows-no-tests',
      'what only tests need is not in the product',
      { path: '^(app|components|db|lib)/|^[^/]+\\.ts$', pathNot: [TEST, '^lib/testing/', '^(vitest|playwright)'] },
      { path: ['^lib/testing/', '^e2e/', TEST], pathNot: TEST_DOORS },
    ),
    error('test-doors-are-opened-in-composition', 'behind a setting, and nowhere else', { pathNot: [WIRING, TEST] }, { path: TEST_DOORS }),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^\\.next' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.d.ts', '.json', '.css'],
    },
  },
};
