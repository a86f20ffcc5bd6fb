export {
  createSessionBody,
  MESSAGE_LIMIT_BYTES,
  type SessionPage,
  type SessionView,
  sendMessageBody,
  type TranscriptView,
  updateSessionBody,
} from './contract.ts';
export { agentIdOf, checkpointThreadId, type SessionState, sessionTransitions } from './domain/session.ts';
export { createSession, deleteSession, getTranscript, listPresets, listSessions, updateSession } from './manage-sessions.ts';
export type { ConversationStores, GraphRun, GraphSink, SessionStore } from './ports.ts';
