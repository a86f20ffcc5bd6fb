import type { CapabilityHandler, CapabilityMetadata } from '#lib/capabilities/index.ts';
import type { CompletedStage, Pipeline } from '#lib/graph/index.ts';
import { type JsonObject, newId } from '#lib/kernel/index.ts';
import type { Permission } from '#lib/tenancy/index.ts';

/** A capability as a plugin brings it, with what it needs of the platform already there. */
export interface BenchCapability {
  readonly metadata: CapabilityMetadata;
  readonly handler: CapabilityHandler;
}

/**
 * Runs a pipeline over handlers alone: no run, no database. Rights are checked as the invoker checks them; `echo` says its
 * text back. Returns the stages that ran and the answer.
 */
export async function benchPipeline(request: {
  pipeline: Pipeline;
  input: string;
  capabilities: readonly BenchCapability[];
  permissions: ReadonlySet<Permission>;
  locale: 'en' | 'zh-CN';
  timeZone: string;
  now: Date;
  configuration?: JsonObject;
}): Promise<{ stages: readonly CompletedStage[]; outputs: ReadonlyMap<string, JsonObject>; answer: string; called: readonly string[] }> {
  const { pipeline, input, capabilities, permissions, locale, timeZone, now, configuration = {} } = request;
  const stages: CompletedStage[] = [];
  const outputs = new Map<string, JsonObject>();
  const called: string[] = [];
  let answer = '';
  const scope = { tenantId: newId('tenant'), userId: newId('user') };
  const lackingOf = (id: string) =>
    capabilities
      .find(({ metadata }) => metadata.id === id)
      ?.metadata.requiredPermissions.filter((permission) => !permissions.has(permission)) ?? [];
  const signal = AbortSignal.timeout(10_000);
  await pipeline.run({
    input,
    signal,
    host: {
      locale,
      timeZone,
      now,
      mayCall: (id) => lackingOf(id).length === 0,
      find: () => undefined,
      async record(path, output, stage) {
        // As the database would give it back.
        outputs.set(path, JSON.parse(JSON.stringify(output)));
        stages.push(stage);
      },
      async call({ capabilityId, arguments: args, isAnswer }) {
        called.push(capabilityId);
        if (capabilityId === 'echo') {
          const text = typeof args['text'] === 'string' ? args['text'] : '';
          if (isAnswer) answer += text;
          return { status: 'succeeded', output: { text }, text };
        }
        const capability = capabilities.find(({ metadata }) => metadata.id === capabilityId);
        if (!capability) return { status: 'refused', code: 'unknown_capability', message: `unknown capability: ${capabilityId}` };
        const lacking = lackingOf(capabilityId);
        if (lacking.length > 0)
          return {
            status: 'refused',
            code: 'permission_denied',
            message: `permission denied: ${capabilityId} needs ${lacking.join(', ')}`,
          };
        const { output, text } = await capability.handler(args, {
          scope,
          permissions,
          configuration,
          runId: newId('run'),
          invocationId: newId('invocation'),
          idempotencyKey: 'key',
          clock: { now: () => now },
          locale,
          timeZone,
          signal,
          emitText: () => undefined,
        });
        if (isAnswer) answer += text;
        return { status: 'succeeded', output, text };
      },
    },
  });
  return { stages, outputs, answer, called };
}
