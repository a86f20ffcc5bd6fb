import { PLATFORM_SUPERVISOR } from '#lib/agents/index.ts';
import type { CapabilityRegistry } from '#lib/capabilities/index.ts';
import { fitConversation, openConversation } from '#lib/conversations/index.ts';
import { budgetOf, countTools, estimateTokens, type ModelSource, type TokenCalibration, type TokenCounters } from '#lib/models/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { visibleTo } from './domain/visible-capabilities.ts';
import type { OntologySource } from './ports.ts';

export interface RoomDependencies {
  readonly models: ModelSource;
  readonly registry: Pick<CapabilityRegistry, 'list'>;
  readonly ontology: OntologySource;
  readonly counters: TokenCounters;
  readonly calibration: TokenCalibration;
}

/** In characters. Shorter messages fit beside anything that a model can be asked with. */
const ALWAYS_FITS = 500;
/** Of the room: what takes less of it by a careful count is not looked at further. */
const SURELY_FITS = 0.3;

/**
 * Refuses a message that the tenant's model could never be shown beside what is always sent, before anything of it is stored
 * (requirement H-05). Throws `message_too_large`.
 */
export function createMessageRoom({ models, registry, ontology, counters, calibration }: RoomDependencies) {
  return async (actor: Actor, text: string): Promise<void> => {
    if (text.length <= ALWAYS_FITS) return;
    const choice = await models.find(actor.scope);
    if (choice.status === 'unavailable') return;
    const { spec } = choice.model;
    const { limitTokens } = budgetOf(spec);
    const factor = calibration.factorOf({ ...spec, tenantId: actor.scope.tenantId });
    if (estimateTokens(text) * factor < limitTokens * SURELY_FITS) return;
    const exact = await counters.exact(spec);
    const count = exact ?? estimateTokens;
    const [capabilities, known] = await Promise.all([registry.list(actor.scope.tenantId), ontology.describe(actor.scope, text)]);
    const tools = visibleTo(actor, capabilities).map(({ id, description, inputSchema }) => ({
      name: id,
      description: description.en,
      inputSchema,
    }));
    const system = [PLATFORM_SUPERVISOR.instructions, known.summary, known.revision].join('\n\n');
    const room = { limitTokens: Math.floor(limitTokens / (exact ? 1 : factor)), toolTokens: countTools(tools, count), count };
    fitConversation(openConversation({ system, request: text }), room);
  };
}
