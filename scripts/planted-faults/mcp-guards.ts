import type { Guard } from './guard.ts';

const SERVER_TESTS = ['lib/mcp/mcp-servers.integration.test.ts'];
const RUN_TESTS = ['lib/mcp/mcp-run.integration.test.ts'];
const SYNC_TESTS = ['lib/mcp/domain/tool-sync.test.ts'];

/** MCP servers: whose they are, what runs where, and what of a stranger's word is believed. */
export const MCP_GUARDS: readonly Guard[] = [
  {
    id: 'mcp-program-listed',
    guards: 'A workspace runs no program that the operator has not listed.',
    file: 'lib/mcp/manage-servers.ts',
    find: "body.reach.transport === 'stdio' && !programs.has(body.reach.program)",
    replace: "body.reach.transport === 'stdio' && body.reach.program === ''",
    tests: SERVER_TESTS,
    only: 'K18',
  },
  {
    id: 'mcp-reserved-name',
    guards: 'A server cannot take the first word of the platform’s capabilities.',
    file: 'lib/mcp/manage-servers.ts',
    find: 'if (isReservedName(body.name)) {',
    replace: 'if (body.name === "") {',
    tests: SERVER_TESTS,
    only: 'cannot take the name',
  },
  {
    id: 'mcp-tool-quarantine',
    guards: 'A tool that is told otherwise than it was accepted is put aside.',
    file: 'lib/mcp/domain/tool-sync.ts',
    find: 'return hash === tool.pending?.hash ? listing : { ...listing, pending: { definition: next.definition, hash } };',
    replace: 'return { ...listing, definition: next.definition, hash };',
    tests: SYNC_TESTS,
  },
  {
    id: 'mcp-accept-what-was-shown',
    guards: 'Only the change that was looked at is accepted.',
    file: 'lib/mcp/manage-tools.ts',
    find: 'if (!pending || pending.hash !== hash) {',
    replace: 'if (!pending) {',
    tests: SERVER_TESTS,
    only: 'puts aside',
  },
  {
    id: 'mcp-pending-not-called',
    guards: 'A tool that waits to be accepted is not called.',
    file: 'db/stores/mcp-tool-reader.ts',
    find: `and t.capability_name = \${capabilityId.slice(dot + 1)}
            and s.is_enabled and t.is_enabled and t.is_listed and t.problem is null and t.pending_hash is null`,
    replace: `and t.capability_name = \${capabilityId.slice(dot + 1)}
            and s.is_enabled and t.is_enabled and t.is_listed and t.problem is null`,
    tests: SERVER_TESTS,
    only: 'puts aside',
  },
  {
    id: 'mcp-progress-hidden-secrets',
    guards: 'What a server was sent does not come back in its words of progress.',
    file: 'lib/mcp/adapters/sdk-connector.ts',
    find: 'message ? this.#hide(message) : null',
    replace: 'message ?? null',
    tests: RUN_TESTS,
    only: 'how far a call',
  },
  {
    id: 'mcp-progress-bounded',
    guards: 'A tool that never stops telling does not fill the log.',
    file: 'lib/supervisor/call-progress.ts',
    find: 'Math.max(SHORTEST_PAUSE_MS, (at.getTime() - this.#startedMs) / PAUSES_OF_ELAPSED)',
    replace: '0',
    tests: ['lib/supervisor/call-progress.test.ts'],
  },
  {
    id: 'mcp-no-blind-repeat',
    guards: 'A call that may not be repeated is not, when the session is lost.',
    file: 'lib/mcp/mcp-capabilities.ts',
    find: "const isRepeatable = tool.sideEffect === 'read' || tool.idempotency !== 'none';",
    replace: 'const isRepeatable = tool.name !== "";',
    tests: SERVER_TESTS,
    only: 'K9',
  },
  {
    id: 'mcp-hints-not-believed',
    guards: 'Until somebody says otherwise, a tool may not be repeated.',
    file: 'lib/mcp/check-server.ts',
    find: "idempotency: 'none',",
    replace: "idempotency: 'idempotent',",
    tests: RUN_TESTS,
    only: 'loses its process',
  },
  {
    id: 'mcp-headers-sealed',
    guards: 'Headers are sealed at rest.',
    file: 'lib/mcp/manage-servers.ts',
    find: 'sealer.seal(JSON.stringify(headers), headersContext(actor.scope.tenantId, id))',
    replace: "{ ...sealer.seal('', ''), box: JSON.stringify(headers) }",
    tests: SERVER_TESTS,
    only: 'sealed at rest',
  },
  {
    id: 'mcp-headers-stay-home',
    guards: 'Headers go where they were meant to go: another address drops them.',
    file: 'lib/mcp/manage-servers.ts',
    find: 'const kept = hasMoved ? withHeaders(dependencies, actor, known.id, {}) : { auth, headerNames, sealedHeaders };',
    replace: 'const kept = { auth, headerNames, sealedHeaders };',
    tests: SERVER_TESTS,
    only: 'sealed at rest',
  },
  {
    id: 'mcp-audit',
    guards: 'An added server is on the record.',
    file: 'lib/mcp/manage-servers.ts',
    find: `    await audit.record({
      type: 'mcp-server.created',
      target: { kind: 'mcp-server', id, name: server.name },
      details: describeServer(server),
    });`,
    replace: '    void audit;',
    tests: SERVER_TESTS,
    only: 'switched off or removed',
  },
];
