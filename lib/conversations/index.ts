export {
  MESSAGE_LIMIT_BYTES,
  type SessionPage,
  type SessionView,
  type TranscriptView,
  type UsageView,
} from './contract.ts';
export { type InstalledPlugin, PLATFORM_PRESETS, type PresetEntry, requireOpenPreset } from './domain/preset.ts';
export { agentIdOf, checkpointThreadId, moveSession, type SessionState } from './domain/session.ts';
export { createSession, deleteSession, getTranscript, listPresets, listSessions, updateSession } from './manage-sessions.ts';
export type { ConversationStores, GraphRun, GraphSink, SessionStore } from './ports.ts';
