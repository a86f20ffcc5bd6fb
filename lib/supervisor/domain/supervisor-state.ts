import type { Channels } from '#lib/graph/index.ts';
import type { ExecutionPlan } from './plan.ts';
import type { TraceEntry } from './run.ts';

/** The state of a run and how its keys merge (requirement P-05). */
export interface SupervisorState {
  input: string;
  tenantId: string;
  sessionId: string;
  sessionPreset: string;
  echo?: string;
  supervisor_terminal?: 'OK' | 'EMPTY_STATE';
  ontology_summary?: string;
  ontology_revision?: string;
  pipeline_trace?: readonly TraceEntry[];
  execution_plan?: { readonly intent: ExecutionPlan['intent']; readonly summary: string };
  conversation_history?: readonly { readonly role: 'USER' | 'ASSISTANT'; readonly content: string }[];
}

export const supervisorChannels: Channels<SupervisorState> = {
  input: 'replace',
  tenantId: 'replace',
  sessionId: 'replace',
  sessionPreset: 'replace',
  echo: 'replace',
  supervisor_terminal: 'replace',
  ontology_summary: 'replace',
  ontology_revision: 'replace',
  pipeline_trace: 'replace',
  execution_plan: 'replace',
  conversation_history: 'append',
};
