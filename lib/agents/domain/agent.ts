import type { LocalisedText } from '#lib/capabilities/index.ts';

/** A ReAct agent: instructions, what it may use, and how long it may go on. */
export interface AgentDefinition {
  readonly id: string;
  readonly title: LocalisedText;
  /** What it is for, as the routing agent reads it. */
  readonly description: string;
  readonly instructions: string;
  /** Capabilities by id or by domain; `all` means whatever the person may use. */
  readonly tools: 'all' | { readonly ids?: readonly string[]; readonly domains?: readonly string[] };
  readonly limits: AgentLimits;
}

/** Reaching one ends the run with that reason (requirement P-08). */
export interface AgentLimits {
  readonly maxModelCalls: number;
  readonly maxToolCalls: number;
}

export const SUPERVISOR_ID = 'platform_supervisor';
