import { type AgentDefinition, type AgentTool, exposeNames } from '#lib/agents/index.ts';
import type { CapabilityMetadata, Invoker } from '#lib/capabilities/index.ts';
import { AppError, type Clock, canonicalJson, type Json, type JsonObject } from '#lib/kernel/index.ts';
import { estimateTokens } from '#lib/models/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { exposeTools } from './domain/answerer.ts';
import type { Run } from './domain/run.ts';
import { resultForModel } from './domain/tool-result.ts';
import { visibleTo } from './domain/visible-capabilities.ts';
import type { RunRecords } from './ports.ts';
import type { SettledOutcome } from './recorded-call.ts';
import type { RunConsent } from './run-consent.ts';
import type { RunWriter } from './run-writer.ts';
import { invokeSilently } from './silent-call.ts';

export interface CapabilityCallInputs {
  readonly run: Run;
  readonly records: RunRecords;
  readonly actor: Actor;
  readonly capabilities: readonly CapabilityMetadata[];
  readonly invoker: Invoker;
  /** The capabilities of the run's preset; null: all. */
  readonly onlyIds: readonly string[] | null;
  readonly consent: RunConsent;
  readonly writer: RunWriter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The run's capability calls, whoever of the agents makes them. */
export class CapabilityCalls {
  readonly #inputs: CapabilityCallInputs;
  readonly #names: ReturnType<typeof exposeNames>;
  readonly #visible: readonly CapabilityMetadata[];
  readonly #outcomes: { step: number; capabilityId: string; output: Json }[] = [];
  #made: number;

  constructor(inputs: CapabilityCallInputs) {
    this.#inputs = inputs;
    this.#visible = visibleTo(inputs.actor, inputs.capabilities);
    this.#names = exposeNames(this.#visible.map((capability) => capability.id));
    this.#made = inputs.records.invocations.size;
  }

  toolsFor(which: AgentDefinition['tools']): AgentTool[] {
    return exposeTools(this.#visible, which, this.#names).map(({ capabilityId, ...tool }) => ({
      ...tool,
      run: async ({ arguments: args, path }) => toToolOutcome(await this.#invoke(capabilityId, args, path), args),
    }));
  }

  /** A call that names no tool: refused by the invoker, so that it is on record like every other refusal. */
  async reject(name: string, path: string): Promise<void> {
    await this.#invoke(this.#names.idOf.get(name) ?? name, {}, path);
  }

  trace() {
    return [...this.#outcomes]
      .sort((a, b) => a.step - b.step)
      .map(({ capabilityId, output }) => ({ capabilityId, rationale: 'chosen by the model', output: output as JsonObject }));
  }

  async #invoke(capabilityId: string, args: JsonObject, path: string): Promise<SettledOutcome> {
    const step = this.#inputs.records.invocations.get(path)?.step ?? this.#made++;
    const outcome = await invokeSilently(this.#inputs, { path, step, capabilityId, arguments: args, callsSoFar: step });
    if (outcome.status === 'aborted') throw new AppError({ code: 'timeout', message: 'aborted' });
    this.#outcomes.push({
      step,
      capabilityId,
      output: outcome.status === 'succeeded' ? outcome.output : { error: { code: outcome.code, message: outcome.message } },
    });
    return outcome;
  }
}

function toToolOutcome(outcome: SettledOutcome, asked: JsonObject): { text: string; isError: boolean } {
  const made = outcome.invocation?.arguments ?? asked;
  // A model that is not told would take the result for that of its own call.
  const change = canonicalJson(made) === canonicalJson(asked) ? '' : `[A person changed the arguments to ${JSON.stringify(made)}.]\n`;
  if (outcome.status === 'succeeded')
    return { text: shown(`${change}${outcome.text === '' ? JSON.stringify(outcome.output) : outcome.text}`), isError: false };
  return { text: shown(`${change}${'message' in outcome ? outcome.message : 'The call did not end.'}`), isError: true };
}

function shown(text: string): string {
  return resultForModel(text, { countTokens: estimateTokens });
}
