import { z } from 'zod';

/** Shapes of chat sessions and messages as the API and the browser see them. Instants are ISO 8601 in UTC. */
export const sessionState = z.enum(['IDLE', 'PLANNING', 'EXECUTING', 'WAITING_USER', 'COMPLETED', 'FAILED', 'CANCELLED']);
export type SessionState = z.infer<typeof sessionState>;

export const sessionView = z.object({
  id: z.string(),
  title: z.string(),
  preset: z.string(),
  state: sessionState,
  ownerId: z.string(),
  isPinned: z.boolean(),
  isArchived: z.boolean(),
  /** How the newest run ended or stands, for the dot in the list; null when nothing was asked yet. */
  lastRun: z.object({ id: z.string(), state: z.string() }).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type SessionView = z.infer<typeof sessionView>;

/** Tokens of all model calls behind an answer, in classes that do not overlap, and what they cost. */
export const usageView = z.object({
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  cacheWriteTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  totalTokens: z.number(),
  /** At least one provider reported nothing: counted by us. */
  isEstimated: z.boolean(),
  /** A budget’s soft limit was reached: the model was asked to be brief. */
  isConcise: z.boolean().optional(),
  /** Micro-units: 1,000,000 = one of the currency. null: no price was set for at least one call. */
  cost: z.object({ micros: z.number(), currency: z.string() }).nullable(),
  models: z.array(z.string()),
});
export type UsageView = z.infer<typeof usageView>;

export const messageView = z.object({
  id: z.string(),
  /**
   * The message it follows; null for the first. A person's messages are siblings, that is branches, when the person's
   * message before them is the same; it is found by going up over answers.
   */
  parentId: z.string().nullable(),
  role: z.enum(['user', 'assistant']),
  runId: z.string(),
  text: z.string(),
  /** A user's message is `complete`; an answer also `streaming`, `stopped` (kept, marked) or `failed`. */
  state: z.enum(['streaming', 'complete', 'stopped', 'failed']),
  createdAt: z.string(),
  /** Its exchange is kept word for word when others are summarised. */
  isPinned: z.boolean(),
  /** Of an answer that a model took part in; null otherwise. */
  usage: usageView.nullable(),
});
export type MessageView = z.infer<typeof messageView>;

/** That a part of the conversation had no room in the model any more: what left, and what it came to. */
export const compactionView = z.object({
  runId: z.string(),
  /** Where in the run. */
  path: z.string(),
  /** `extract`: no model wrote it. */
  source: z.enum(['model', 'extract']),
  /** Of earlier exchanges; null where none left. */
  summary: z.string().nullable(),
  /** Of earlier steps of the run; null where none left. */
  progress: z.string().nullable(),
  /** The exchanges that left, oldest first, with the beginning of what was asked. */
  turns: z.array(z.object({ runId: z.string(), asked: z.string() })),
  stepCount: z.number(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
});
export type CompactionView = z.infer<typeof compactionView>;

/** What the last call of a model was sent by class, and the room there was. All in tokens, as we count them. */
export const contextView = z.object({
  windowTokens: z.number(),
  /** What a call may send: the window without what is kept for the answer. */
  limitTokens: z.number(),
  system: z.number(),
  summary: z.number(),
  history: z.number(),
  tools: z.number(),
  /** A budget’s soft limit was reached: the model was asked to be brief. */
  isConcise: z.boolean().optional(),
});
export type ContextView = z.infer<typeof contextView>;

export const presetView = z.object({
  key: z.string(),
  name: z.object({ en: z.string(), 'zh-CN': z.string() }),
  description: z.object({ en: z.string(), 'zh-CN': z.string() }),
  /** The plugin that brings it; null: the platform. */
  plugin: z.object({ id: z.string(), name: z.object({ en: z.string(), 'zh-CN': z.string() }) }).nullable(),
  /** Why no session can begin under it here; null: one can. `reason` is for logs and scripts. */
  locked: z.object({ reason: z.string(), cause: z.enum(['not-installed', 'disabled']), pluginId: z.string() }).nullable(),
});
export type PresetView = z.infer<typeof presetView>;

/** The longest message, in UTF-8 bytes. */
export const MESSAGE_LIMIT_BYTES = 64 * 1024;

export const createSessionBody = z.object({ preset: z.string().nullable().optional(), title: z.string().trim().max(120).optional() });
export const updateSessionBody = z.object({
  title: z.string().trim().min(1).max(120).optional(),
  isPinned: z.boolean().optional(),
  isArchived: z.boolean().optional(),
});

export const updateMessageBody = z.object({ isPinned: z.boolean() });

export const sendMessageBody = z.object({
  text: z.string(),
  /** The message this one follows, null for none: an earlier one begins a branch. Absent: the newest. */
  parentId: z.string().nullable().optional(),
  locale: z.enum(['en', 'zh-CN']).optional(),
  timeZone: z.string().max(64).optional(),
});
export const sendMessageResult = z.object({ runId: z.string(), messageId: z.string(), queuePlace: z.number() });
export type SendMessageResult = z.infer<typeof sendMessageResult>;

export const sessionPage = z.object({ items: z.array(sessionView), nextCursor: z.string().nullable() });
export type SessionPage = z.infer<typeof sessionPage>;
export const transcriptView = z.object({
  session: sessionView,
  messages: z.array(messageView),
  /** Runs of this session that are not terminal, oldest first. */
  activeRunIds: z.array(z.string()),
  /** Oldest first. */
  compactions: z.array(compactionView),
  /** Of the last answer; null where no model has answered yet. */
  context: contextView.nullable(),
});
export type TranscriptView = z.infer<typeof transcriptView>;
