import { type AgentDefinition, exposeNames, PLATFORM_SUPERVISOR, SPECIALISTS } from '#lib/agents/index.ts';
import type { CapabilityMetadata } from '#lib/capabilities/index.ts';
import type { Json, JsonObject } from '#lib/kernel/index.ts';
import type { ExposedTool } from '#lib/models/index.ts';

/** Who answers where a model does, and whom it may hand tasks to. */
interface Answerer {
  readonly agent: AgentDefinition;
  readonly specialists: readonly AgentDefinition[];
}

export function answererUnder(
  preset: { readonly agent: AgentDefinition | null },
  companions: { readonly specialists: readonly AgentDefinition[] },
): Answerer {
  return { agent: preset.agent ?? PLATFORM_SUPERVISOR, specialists: [...SPECIALISTS, ...companions.specialists] };
}

/** What a run can call of all there is: what its preset lists, and a task hands on nothing. */
export function capabilitiesUnder(
  preset: { readonly capabilityIds: readonly string[] | null },
  capabilities: readonly CapabilityMetadata[],
  { isTask }: { isTask: boolean },
): CapabilityMetadata[] {
  const { capabilityIds } = preset;
  return capabilities.filter(({ id, protocol }) => (capabilityIds?.includes(id) ?? true) && !(isTask && protocol === 'AGENT'));
}

/** What an agent is told before anything is said. */
export function systemPromptOf({ instructions }: AgentDefinition, contextText: string): string {
  return [instructions, contextText].filter(Boolean).join('\n\n');
}

/** `visible` as an agent with `tools` is shown them; names are of all that are visible, so that every agent of a run shares them. */
export function exposeTools(
  visible: readonly CapabilityMetadata[],
  tools: AgentDefinition['tools'],
  names: ReturnType<typeof exposeNames> = exposeNames(visible.map(({ id }) => id)),
): (ExposedTool & { readonly capabilityId: string })[] {
  return visible
    .filter((capability) => tools === 'all' || tools.ids?.includes(capability.id) || tools.domains?.includes(capability.domain))
    .map(({ id, description, inputSchema }) => ({
      capabilityId: id,
      name: names.nameOf.get(id) ?? id,
      description: description.en,
      inputSchema: withoutHints(inputSchema) as JsonObject,
    }));
}

/** How an agent hands a task to one of the specialists. */
export function exposeDelegate(specialists: readonly AgentDefinition[]): ExposedTool {
  return {
    name: 'delegate',
    description: `Hand a task to a specialist and get its answer. ${specialists.map((agent) => `${agent.id}: ${agent.description}`).join(' ')}`,
    inputSchema: {
      type: 'object',
      properties: {
        agent: { type: 'string', enum: specialists.map((agent) => agent.id) },
        task: { type: 'string', minLength: 1, description: 'Everything the specialist needs to know; it sees nothing else.' },
      },
      required: ['agent', 'task'],
      additionalProperties: false,
    },
  };
}

/** Our own annotations help the planner; a provider may refuse what it does not know. */
function withoutHints(schema: Json | undefined): Json | undefined {
  if (Array.isArray(schema)) return schema.map((item) => withoutHints(item as Json) ?? null);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, value]) => [key, withoutHints(value)]),
  );
}
