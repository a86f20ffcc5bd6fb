export {
  MESSAGE_LIMIT_BYTES,
  type SessionPage,
  type SessionView,
  type TranscriptView,
  type UsageView,
} from './contract.ts';
export { agentIdOf, checkpointThreadId, moveSession, type SessionState } from './domain/session.ts';
export { createSession, deleteSession, getTranscript, listPresets, listSessions, updateSession } from './manage-sessions.ts';
export type { ConversationStores, GraphRun, GraphSink, SessionStore } from './ports.ts';
