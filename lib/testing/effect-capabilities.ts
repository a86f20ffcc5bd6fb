import type { Capability, CapabilityMetadata, Idempotency, SideEffect } from '#lib/capabilities/index.ts';
import { AppError } from '#lib/kernel/index.ts';

/**
 * Capabilities whose side effects another process counts, for the crash script and the end-to-end tests. They exist only
 * where TEST_EFFECTS_URL is set.
 */
export function createEffectCapabilities(effectsUrl: string): Capability[] {
  return [
    effect({ id: 'test.effect-keyed', words: ['keyed effect'], sideEffect: 'write', idempotency: 'keyed', effectsUrl }),
    effect({ id: 'test.effect-idempotent', words: ['idempotent effect'], sideEffect: 'write', idempotency: 'idempotent', effectsUrl }),
    effect({ id: 'test.effect-once', words: ['once effect', 'unrepeatable effect'], sideEffect: 'write', idempotency: 'none', effectsUrl }),
    effect({ id: 'test.effect-read', words: ['readonly effect'], sideEffect: 'read', idempotency: 'idempotent', effectsUrl }),
    effect({ id: 'test.effect-destructive', words: ['destructive effect'], sideEffect: 'destructive', idempotency: 'none', effectsUrl }),
    outside(effectsUrl),
    { metadata: metadata({ id: 'test.handlerless', words: ['handlerless effect'], sideEffect: 'read', idempotency: 'idempotent' }) },
    stream(),
  ];
}

function effect(options: {
  id: string;
  words: string[];
  sideEffect: SideEffect;
  idempotency: Idempotency;
  effectsUrl: string;
}): Capability {
  return {
    metadata: metadata(options),
    async handler(args, call) {
      const label = typeof args.label === 'string' ? args.label : '';
      const response = await fetch(options.effectsUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ label, kind: options.idempotency, key: call.idempotencyKey, runId: call.runId }),
        signal: call.signal,
      });
      if (!response.ok) throw new AppError({ code: 'capability_failed', message: `the effect server answered ${response.status}` });
      return { output: { label }, text: `done: ${label}` };
    },
  };
}

/** Reads what others have written. */
function outside(effectsUrl: string): Capability {
  const base = effect({ id: 'test.effect-outside', words: ['outside effect'], sideEffect: 'read', idempotency: 'idempotent', effectsUrl });
  return { ...base, metadata: { ...base.metadata, contentOrigin: 'outside' } };
}

/** Says `chunks` numbered chunks, one each `delay` ms. */
function stream(): Capability {
  const base = metadata({ id: 'test.stream', words: ['stream chunks', 'streamed chunks'], sideEffect: 'read', idempotency: 'idempotent' });
  return {
    metadata: {
      ...base,
      timeoutMs: 600_000,
      inputSchema: {
        type: 'object',
        properties: {
          chunks: { type: 'integer', minimum: 1, maximum: 10_000, 'x-source': 'number', 'x-before': ['chunks', 'chunk'] },
          delay: { type: 'integer', minimum: 0, maximum: 60_000, 'x-source': 'number', 'x-before': ['ms'], default: 20 },
        },
        required: ['chunks'],
        additionalProperties: false,
      },
    },
    async handler(args, call) {
      const chunks = Number(args.chunks);
      const delayMs = Number(args.delay ?? 20);
      let text = '';
      for (let index = 1; index <= chunks; index += 1) {
        await pause(delayMs, call.signal);
        const delta = `chunk-${index} `;
        text += delta;
        call.emitText(delta);
      }
      return { output: { chunks }, text };
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new AppError({ code: 'timeout', message: 'aborted' }));
    });
  });
}

function metadata(options: { id: string; words: string[]; sideEffect: SideEffect; idempotency: Idempotency }): CapabilityMetadata {
  const name = options.words[0] ?? options.id;
  return {
    id: options.id,
    version: '1.0.0',
    status: 'active',
    // One that a specialist has, so that sub-agents can have side effects too.
    domain: 'text',
    title: { en: name, 'zh-CN': name },
    description: { en: `Test capability: ${name}.`, 'zh-CN': `测试能力：${name}。` },
    keywords: options.words,
    examples: [],
    inputSchema: {
      type: 'object',
      properties: { label: { type: 'string', minLength: 1, maxLength: 200, 'x-source': 'text' } },
      required: ['label'],
      additionalProperties: false,
    },
    requiredPermissions: ['capability:invoke'],
    sideEffect: options.sideEffect,
    idempotency: options.idempotency,
    contentOrigin: 'own',
    timeoutMs: 30_000,
  };
}
