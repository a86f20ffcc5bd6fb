import type { AgentVoice } from '#lib/agents/index.ts';

/** Of what is said to whoever asked for it, and not to the person. */
export const SILENT: AgentVoice = { text: () => undefined, reasoning: () => undefined, restart: () => undefined };
