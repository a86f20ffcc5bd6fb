import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { JsonObject } from '#lib/kernel/index.ts';
import { currentLogContext, type EndedModelCall, type LogContext, log, spanIdOf, withLogContext } from '#lib/telemetry/index.ts';
import { AnswerMeter, ARGUMENTS_LIMIT } from '../domain/answer-limits.ts';
import { ModelError } from '../domain/model-error.ts';
import type { ModelSpec } from '../domain/model-spec.ts';
import type { AssistantPart, PromptMessage, ToolResultPart } from '../domain/prompt.ts';
import { toProviderSchema } from '../domain/provider-schema.ts';
import type { Usage } from '../domain/usage.ts';
import type { FinishReason, LanguageModel, ModelPart, ModelRequest } from '../ports.ts';
import { type Circumstances, toModelError } from './ai-sdk-error.ts';

/**
 * The port over a provider of the AI SDK. It calls `doStream`, one model call at a time: the SDK's own loop costs twice the
 * processor time (`docs/decisions/0006`).
 */
export function createAiSdkLanguageModel(options: {
  spec: ModelSpec;
  provider: LanguageModelV4;
  apiKey: string | null;
  /** Hears of each call once it has ended, however it ended. */
  onEnded?: ((call: EndedModelCall) => void) | undefined;
}): LanguageModel {
  const { spec, provider, apiKey, onEnded } = options;
  return {
    spec,
    async *call(request) {
      const circumstances = { signal: request.signal, apiKey };
      const heard: Heard = { startedAtMs: performance.now(), firstPartMs: null, usage: null, error: 'broken-off' };
      const context = contextOf(spec, request);
      try {
        const stream = await withLogContext(context, () => open(provider, toCallOptions(spec, request), circumstances));
        yield* readParts(stream, spec, circumstances, heard);
        heard.error = null;
      } catch (error) {
        heard.error = error instanceof ModelError ? error.kind : 'unknown';
        throw error;
      } finally {
        const ended = toEnded(spec, heard);
        onEnded?.(ended);
        const { error, seconds } = ended;
        withLogContext(context, () => log.debug({ ms: Math.round(seconds * 1000), ...(error && { error }) }, 'model call ended'));
      }
    },
  };
}

/** What a call has come to so far. */
interface Heard {
  readonly startedAtMs: number;
  firstPartMs: number | null;
  usage: Usage | null;
  error: string | null;
}

function toEnded({ provider, model }: ModelSpec, { startedAtMs, firstPartMs, usage, error }: Heard): EndedModelCall {
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { provider, model, seconds, firstPartSeconds: firstPartMs === null ? null : firstPartMs / 1000, usage, error };
}

function contextOf({ model }: ModelSpec, { path }: ModelRequest): LogContext {
  const { traceId } = currentLogContext();
  return { modelName: model, ...(traceId && path && { spanId: spanIdOf(traceId, path) }) };
}

async function open(provider: LanguageModelV4, options: LanguageModelV4CallOptions, circumstances: Circumstances) {
  try {
    const { stream } = await provider.doStream(options);
    return stream;
  } catch (error) {
    throw toModelError(error, circumstances);
  }
}

function toCallOptions(spec: ModelSpec, request: ModelRequest): LanguageModelV4CallOptions {
  const maxOutputTokens = smaller(spec.maxOutputTokens, request.maxOutputTokens);
  return {
    prompt: request.messages.map((message) => toPromptMessage(message, spec)),
    abortSignal: request.signal,
    ...(spec.temperature !== undefined && { temperature: spec.temperature }),
    ...(spec.topP !== undefined && { topP: spec.topP }),
    ...(spec.topK !== undefined && { topK: spec.topK }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(spec.seed !== undefined && { seed: spec.seed }),
    ...(request.tools &&
      request.tools.length > 0 && {
        tools: request.tools.map(
          (tool): LanguageModelV4FunctionTool => ({
            type: 'function',
            name: tool.name,
            description: tool.description,
            inputSchema: toProviderSchema(spec.provider, tool.inputSchema) as LanguageModelV4FunctionTool['inputSchema'],
          }),
        ),
        toolChoice: { type: request.toolChoice ?? 'auto' },
      }),
    ...(request.answerSchema && {
      responseFormat: { type: 'json', name: request.answerSchema.name, schema: request.answerSchema.schema as object },
    }),
  };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function toPromptMessage(message: PromptMessage, spec: ModelSpec): LanguageModelV4Message {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.content }] };
  if (message.role === 'assistant') {
    // Another provider's reasoning means nothing to this one, and its signature would be refused.
    const own = message.content.filter((part) => part.type !== 'reasoning' || part.provider === spec.provider);
    return { role: 'assistant', content: own.map(toAssistantPart) };
  }
  return { role: 'tool', content: message.results.map(toToolResult) };
}

function toToolResult({ callId, toolName, text, isError }: ToolResultPart) {
  const output = isError ? { type: 'error-text' as const, value: text } : { type: 'text' as const, value: text };
  return { type: 'tool-result' as const, toolCallId: callId, toolName, output };
}

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

function toAssistantPart(part: AssistantPart): AssistantContent {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'tool-call') return { type: 'tool-call', toolCallId: part.callId, toolName: part.toolName, input: part.arguments };
  return { type: 'reasoning', text: part.text, ...(part.attached && { providerOptions: part.attached as never }) };
}

async function* readParts(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  spec: ModelSpec,
  circumstances: Circumstances,
  heard: Heard,
): AsyncGenerator<ModelPart, void, undefined> {
  const reasoning = new Map<string, { text: string; attached: JsonObject | null }>();
  const reader = stream.getReader();
  const meter = new AnswerMeter();
  let isFinished = false;
  try {
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) break;
      if (heard.firstPartMs === null && part.type !== 'stream-start') heard.firstPartMs = performance.now() - heard.startedAtMs;
      switch (part.type) {
        case 'text-delta':
          meter.add(part.delta.length);
          if (part.delta !== '') yield { type: 'text-delta', text: part.delta };
          break;
        case 'reasoning-start':
          reasoning.set(part.id, { text: '', attached: toJson(part.providerMetadata) });
          break;
        case 'reasoning-delta': {
          meter.add(part.delta.length);
          const block = reasoning.get(part.id) ?? { text: '', attached: null };
          reasoning.set(part.id, { text: block.text + part.delta, attached: merge(block.attached, toJson(part.providerMetadata)) });
          if (part.delta !== '') yield { type: 'reasoning-delta', text: part.delta };
          break;
        }
        case 'reasoning-end': {
          const block = reasoning.get(part.id);
          reasoning.delete(part.id);
          if (block) {
            const attached = merge(block.attached, toJson(part.providerMetadata));
            yield { type: 'reasoning', reasoning: { type: 'reasoning', text: block.text, provider: spec.provider, attached } };
          }
          break;
        }
        case 'tool-input-delta':
          // The SDK gathers them until the call is whole.
          meter.addToCall(part.id, part.delta.length);
          break;
        case 'tool-call':
          if (part.input.length > ARGUMENTS_LIMIT) meter.addToCall(`whole ${part.toolCallId}`, part.input.length);
          yield { type: 'tool-call', callId: part.toolCallId, toolName: part.toolName, argumentsText: part.input };
          break;
        case 'finish':
          isFinished = true;
          heard.usage = toUsage(part.usage);
          yield {
            type: 'finish',
            reason: toFinishReason(part.finishReason.unified),
            rawReason: part.finishReason.raw ?? null,
            usage: heard.usage,
          };
          break;
        case 'error':
          throw part.error;
        default:
        // Beginnings, ends and kinds of content that no request of ours asks for.
      }
    }
  } catch (error) {
    throw toModelError(error, { ...circumstances, hasBegun: true });
  } finally {
    // A consumer that stops early leaves no connection behind.
    await reader.cancel().catch(() => undefined);
  }
  if (!isFinished) throw new ModelError({ kind: 'cut-off', message: 'The provider’s answer broke off before its end.' });
}

function toFinishReason(unified: string): FinishReason {
  if (unified === 'stop' || unified === 'tool-calls' || unified === 'length' || unified === 'interrupted') return unified;
  return unified === 'content-filter' ? 'refusal' : 'unknown';
}

/** Providers count cached input as part of the input or beside it; the SDK's split is the same for all. */
function toUsage(usage: LanguageModelV4Usage): Usage | null {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  const cachedInputTokens = inputTokens.cacheRead ?? 0;
  const cacheWriteTokens = inputTokens.cacheWrite ?? 0;
  const reasoningTokens = outputTokens.reasoning ?? 0;
  return {
    inputTokens: inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - cachedInputTokens - cacheWriteTokens),
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: outputTokens.text ?? Math.max(0, (outputTokens.total ?? 0) - reasoningTokens),
    reasoningTokens,
    isEstimated: false,
  };
}

function toJson(metadata: unknown): JsonObject | null {
  return typeof metadata === 'object' && metadata !== null ? (metadata as JsonObject) : null;
}

function merge(a: JsonObject | null, b: JsonObject | null): JsonObject | null {
  return a && b ? { ...a, ...b } : (b ?? a);
}
