export {
  type CompactionView,
  type ContextView,
  MESSAGE_LIMIT_BYTES,
  type SessionPage,
  type SessionView,
  type TranscriptView,
  type UsageView,
} from './contract.ts';
export { type Dropped, type Fitted, fitConversation, summaryTokens, withModelSummary } from './domain/compaction.ts';
export {
  type Conversation,
  openConversation,
  promptOf,
  type Room,
  sizeOf,
  totalSize,
  withSteps,
} from './domain/conversation.ts';
export { type InstalledPlugin, PLATFORM_PRESETS, type PresetEntry, requireOpenPreset } from './domain/preset.ts';
export { agentIdOf, checkpointThreadId, moveSession } from './domain/session.ts';
export { summaryRequest } from './domain/summary-request.ts';
export { createSession, deleteSession, getTranscript, listPresets, listSessions, updateSession } from './manage-sessions.ts';
export { pinMessage } from './pin-message.ts';
export type { ConversationStores, GraphRun, GraphSink, SessionStore } from './ports.ts';
