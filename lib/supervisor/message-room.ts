import type { CapabilityRegistry } from '#lib/capabilities/index.ts';
import { assembleContext, createOntologyContributor } from '#lib/context/index.ts';
import { agentIdOf, fitConversation, openConversation } from '#lib/conversations/index.ts';
import { type Id, newId, type TenantScope } from '#lib/kernel/index.ts';
import { budgetOf, estimateTokens, type ModelSource, type TokenCalibration, type TokenCounters } from '#lib/models/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { answererUnder, capabilitiesUnder, exposeDelegate, exposeTools, systemPromptOf } from './domain/answerer.ts';
import { visibleTo } from './domain/visible-capabilities.ts';
import type { OntologySource, PresetBinding } from './ports.ts';
import { RoomMeasure } from './room-measure.ts';

export interface RoomDependencies {
  readonly models: ModelSource;
  readonly registry: Pick<CapabilityRegistry, 'list'>;
  readonly ontology: OntologySource;
  readonly bindPreset: (scope: TenantScope, preset: string) => PresetBinding;
  /** null: there is no such session for them. */
  readonly findPreset: (scope: TenantScope, sessionId: Id<'session'>) => Promise<string | null>;
  readonly counters: TokenCounters;
  readonly calibration: TokenCalibration;
}

/** In characters. Shorter messages fit beside anything that a model can be asked with. */
const ALWAYS_FITS = 500;
/** Of the room: what takes less of it by a careful count is not looked at further. */
const SURELY_FITS = 0.3;

/**
 * Refuses a message that the tenant's model could never be shown beside what is always sent, before anything of it is stored
 * (requirement H-05): the agent of the chat's preset, its tools and the ontology, as the run itself will send them. What
 * documents and plugins add from moment to moment is not counted: the message may fit the next time. Throws
 * `message_too_large`.
 */
export function createMessageRoom(dependencies: RoomDependencies) {
  const { models, registry, ontology, bindPreset, findPreset, counters, calibration } = dependencies;
  return async (actor: Actor, { sessionId, text }: { readonly sessionId: Id<'session'>; readonly text: string }): Promise<void> => {
    if (text.length <= ALWAYS_FITS) return;
    const { scope } = actor;
    const choice = await models.find(scope);
    if (choice.status === 'unavailable') return;
    const { spec } = choice.model;
    const factor = calibration.factorOf({ ...spec, tenantId: scope.tenantId });
    if (estimateTokens(text) * factor < budgetOf(spec).limitTokens * SURELY_FITS) return;
    const key = await findPreset(scope, sessionId);
    if (key === null) return;
    const preset = bindPreset(scope, key);
    // Its pipeline answers, and no model is asked.
    if (preset.pipeline && !preset.agent) return;
    const [companions, capabilities, known] = await Promise.all([
      preset.companions(),
      registry.list(scope.tenantId),
      ontology.describe(scope, text),
    ]);
    const { agent, specialists } = answererUnder(preset, companions);
    const usable = capabilitiesUnder(preset, capabilities, { isTask: false });
    const tools = [...exposeTools(visibleTo(actor, usable), agent.tools), exposeDelegate(specialists)];
    const contributors = [createOntologyContributor(async () => known)];
    const request = { scope, sessionId, messageId: newId('message'), agentId: agentIdOf(key), message: text };
    const context = await assembleContext(contributors, request);
    const conversation = openConversation({ system: systemPromptOf(agent, context.text), request: text });
    const { room } = await new RoomMeasure({ counters, calibration, tenantId: scope.tenantId }).measure(spec, conversation, tools);
    fitConversation(conversation, room);
  };
}
