import type { Guard } from './guard.ts';

const AGGREGATE = 'lib/conversations/domain/compaction.ts';
const ORDER = 'lib/conversations/domain/message-order.ts';
const AGGREGATE_TESTS = ['lib/conversations/domain/compaction.test.ts'];
const KEPT_TESTS = ['lib/supervisor/compaction.integration.test.ts'];
const SESSION_TESTS = ['lib/conversations/sessions.integration.test.ts'];

/** Conversations within their model's room: what must not be lost, split or taken in, and whose messages may be pinned. */
export const CONVERSATION_GUARDS: readonly Guard[] = [
  {
    id: 'conversation-limit',
    guards: 'A conversation above its limit is compacted.',
    file: AGGREGATE,
    find: 'totalSize(sizeOf(conversation, room)) > room.limitTokens;',
    replace: 'false;',
    tests: AGGREGATE_TESTS,
    only: 'leaves what fits alone',
  },
  {
    id: 'conversation-empty-summary',
    guards: 'An empty summary never replaces what was said.',
    file: AGGREGATE,
    find: "if (trimmed === '') return conversation;",
    replace: "if (trimmed === '') return { ...conversation, [of]: null };",
    tests: AGGREGATE_TESTS,
    only: 'takes no empty summary',
  },
  {
    id: 'conversation-too-large',
    guards: 'A message that has no room is refused, and what is always sent is not cut for it.',
    file: AGGREGATE,
    find: '  requireRoom(conversation, room);\n',
    replace: '',
    tests: AGGREGATE_TESTS,
    only: 'refuses a message',
  },
  {
    id: 'conversation-call-results',
    guards: 'A call whose run died has a result, made up as an error.',
    file: ORDER,
    find: '?? { callId, toolName, text: INTERRUPTED_CALL, isError: true }];',
    replace: '?? []].flat();',
    tests: AGGREGATE_TESTS,
    only: 'answers a call whose run died',
  },
  {
    id: 'conversation-room-at-submit',
    guards: 'A message that the model could never be shown is refused before anything of it is stored.',
    file: 'lib/supervisor/submit-message.ts',
    find: '  await requireRoom(actor, request);\n',
    replace: '',
    tests: KEPT_TESTS,
    only: 'takes in no message',
  },
  {
    id: 'conversation-room-of-preset',
    guards: 'A message is refused for what its chat’s preset sends, not for every tool the person may call.',
    file: 'lib/supervisor/message-room.ts',
    find: 'const usable = capabilitiesUnder(preset, capabilities, { isTask: false });',
    replace: 'const usable = capabilities;',
    tests: ['lib/supervisor/message-room.test.ts'],
    only: 'counts the tools of the preset',
  },
  {
    id: 'conversation-summary-once',
    guards: 'What a summary was made of is on record before the call that needed the room.',
    file: 'lib/supervisor/conversation-keeper.ts',
    find: '      nodes: [{ path: record.path, output: compactionNode(record, this.#stepsGone) }],\n      compactions: [record],\n',
    replace: '',
    tests: KEPT_TESTS,
    only: 'goes on',
  },
  {
    id: 'pin-own',
    guards: 'Only messages of one’s own sessions are pinned.',
    file: 'db/stores/session-store.ts',
    find: '            inArray(message.sessionId, transaction.select({ id: agentSession.id }).from(agentSession).where(own)),\n',
    replace: '',
    tests: SESSION_TESTS,
    only: 'has pinned',
  },
  {
    id: 'pin-audit',
    guards: 'Pinning a message is on record.',
    file: 'lib/conversations/pin-message.ts',
    find: "    await audit.record({ type: 'agent.session.updated', target: { kind: 'session', id: sessionId }, details });\n",
    replace: '    void [audit, sessionId, details];\n',
    tests: SESSION_TESTS,
    only: 'has pinned',
  },
  {
    id: 'import-right',
    guards: 'Only who may write documents imports them.',
    file: 'lib/knowledge/import-document.ts',
    find: "  requirePermission(actor, 'knowledge:write');\n  if (file.bytes",
    replace: '  if (file.bytes',
    tests: ['lib/knowledge/import-document.test.ts'],
    only: 'before it reads anything',
  },
  {
    id: 'passage-document',
    guards: 'A passage is opened in its own document only.',
    file: 'db/stores/document-store.ts',
    find: 'eq(knowledgeChunk.documentId, documentId), eq(knowledgeChunk.id, chunkId)',
    replace: 'eq(knowledgeChunk.id, chunkId)',
    tests: ['lib/knowledge/stores.integration.test.ts'],
    only: 'opens a passage',
  },
  {
    id: 'second-compaction-is-on-record',
    guards: 'Two compactions before one call have a record each, with a summary of its own.',
    file: 'lib/supervisor/conversation-keeper.ts',
    find: 'while (isTaken(place)) place += 1;',
    replace: 'while (isTaken(place) && place < from) place += 1;',
    tests: ['lib/supervisor/compaction.integration.test.ts'],
    only: 'with less room takes the run on',
  },
];
