import { createHash } from 'node:crypto';
import { MESSAGE_LIMIT_BYTES } from '#lib/conversations/index.ts';
import type { RunEngine } from '#lib/durable/index.ts';
import { AppError, canonicalJson, faultPoint, type Id, isAppError } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { BegunRuns } from './begun-runs.ts';
import { languageOf } from './domain/language.ts';
import type { RunGate, SubmitOutcome } from './ports.ts';

/** In characters. Longer ones would not fit the index that finds them. */
const IDEMPOTENCY_KEY_LIMIT = 200;

export interface SubmitDependencies {
  readonly gate: RunGate;
  readonly engine: RunEngine;
  readonly begun: BegunRuns;
  readonly timeLimitMs: number;
  /** Throws `message_too_large` where the tenant's model could not be shown the message. */
  readonly requireRoom: (actor: Actor, message: Pick<SubmitRequest, 'sessionId' | 'text'>) => Promise<void>;
}

export interface SubmitRequest {
  readonly sessionId: Id<'session'>;
  readonly text: string;
  /** The message it follows, null for none: an earlier one begins a branch. Absent: the newest. */
  readonly parentId?: Id<'message'> | null | undefined;
  readonly locale?: 'en' | 'zh-CN' | undefined;
  readonly timeZone?: string | undefined;
  /** A repeat with the same key answers the first run; with another text it is refused. */
  readonly idempotencyKey?: string | undefined;
}

export interface SubmitResult {
  readonly runId: Id<'run'>;
  readonly messageId: Id<'message'>;
  readonly queuePlace: number;
}

/**
 * The one door of a request (requirement P-02): records message and run, enqueues, and returns; nothing slow has happened.
 * Throws `message_empty`, `message_too_large`, `invalid_request`, `session_not_found`, `session_closed`,
 * `idempotency_mismatch`, `tenant_context_missing`.
 */
export async function submitMessage(
  { gate, engine, begun, timeLimitMs, requireRoom }: SubmitDependencies,
  actor: Actor | null,
  request: SubmitRequest,
): Promise<SubmitResult> {
  if (!actor) throw new AppError({ code: 'tenant_context_missing', message: 'tenant context missing' });
  if (request.text.trim() === '') throw new AppError({ code: 'message_empty', message: 'Write a message first.' });
  const bytes = Buffer.byteLength(request.text);
  if (bytes > MESSAGE_LIMIT_BYTES) {
    throw new AppError({
      code: 'message_too_large',
      message: `A message may be ${MESSAGE_LIMIT_BYTES} bytes long; this one has ${bytes}. Shorten it, or add it as a document.`,
      details: { limitBytes: MESSAGE_LIMIT_BYTES, bytes },
    });
  }
  if (request.timeZone !== undefined && !isTimeZone(request.timeZone)) {
    throw new AppError({ code: 'invalid_request', message: `There is no time zone ${request.timeZone}.`, details: { path: 'timeZone' } });
  }
  if (request.idempotencyKey !== undefined && request.idempotencyKey.length > IDEMPOTENCY_KEY_LIMIT) {
    throw new AppError({
      code: 'invalid_request',
      message: `An Idempotency-Key has at most ${IDEMPOTENCY_KEY_LIMIT} characters.`,
      details: { path: 'Idempotency-Key' },
    });
  }
  await requireRoom(actor, request);
  const requestHash = createHash('sha256')
    .update(canonicalJson({ text: request.text, parentId: request.parentId }))
    .digest('hex');
  const reserved = engine.reserve();
  const take = (): Promise<SubmitOutcome> =>
    gate.submit(
      {
        sessionId: request.sessionId,
        actor,
        text: request.text,
        parentId: request.parentId,
        locale: languageOf(request.text, request.locale ?? 'en'),
        timeZone: request.timeZone ?? null,
        timeLimitMs,
        idempotencyKey: request.idempotencyKey ?? null,
        requestHash,
        mayBegin: reserved !== null,
      },
      (transaction, { runId, segment, place, hasBegun }) =>
        engine.enqueue(
          transaction,
          { tenantId: actor.scope.tenantId, sessionId: request.sessionId, runId, number: segment },
          { ...(place !== undefined && { place }), ...(hasBegun && reserved && { reserved }) },
        ),
    );
  const outcome = await take().catch((error: unknown) => {
    if (isAppError(error) && error.code === 'unavailable') reserved?.doubt();
    else reserved?.release();
    throw error;
  });
  const records = outcome.status === 'submitted' ? outcome.begun : null;
  if (reserved && records) {
    faultPoint('run.begun');
    begun.keep(reserved.token, records);
    // One that cannot be begun here is looked for again, and read then.
    reserved.begin().catch(() => begun.take(reserved.token));
  } else {
    reserved?.release();
    engine.wake();
  }
  if (outcome.status === 'repeated' && outcome.requestHash !== requestHash) {
    throw new AppError({
      code: 'idempotency_mismatch',
      message: 'This Idempotency-Key was used for another message.',
      details: { runId: outcome.runId },
    });
  }
  return { runId: outcome.runId, messageId: outcome.messageId, queuePlace: outcome.status === 'submitted' ? outcome.queuePlace : 0 };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}
