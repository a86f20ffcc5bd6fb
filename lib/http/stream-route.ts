import type { Actor } from '#lib/tenancy/index.ts';
import { eventStream } from './event-stream.ts';

export interface StreamCall {
  readonly actor: Actor;
  readonly request: Request;
  readonly reauthorize: () => Promise<Actor>;
}

export interface StreamSurroundings {
  readonly heartbeatMs: number;
  onRightsChange(actor: Actor, listener: () => void): () => void;
}

/** How long a stream may go on without its reader's rights being read again, if nobody rang: an expired key, say. */
const REAUTHORIZE_MS = 30_000;

/**
 * A stream that lives as long as its reader may read it: rights are read again when they change, which closes it within two
 * seconds (known fault K17), and every half minute.
 */
export function streamWhileAllowed(
  call: StreamCall,
  surroundings: StreamSurroundings,
  frames: (signal: AbortSignal) => AsyncGenerator<string, void, undefined>,
): Response {
  const onClose = new AbortController();
  const check = () => {
    call.reauthorize().then(
      // What is shown was chosen by the rights it began with: when one of them is gone, the reader begins anew.
      ({ permissions }) => [...call.actor.permissions].every((permission) => permissions.has(permission)) || onClose.abort(),
      () => onClose.abort(),
    );
  };
  const stopListening = surroundings.onRightsChange(call.actor, check);
  const timer = setInterval(check, REAUTHORIZE_MS);
  call.request.signal.addEventListener('abort', () => onClose.abort(), { once: true });
  return eventStream({
    frames: frames(onClose.signal),
    heartbeatMs: surroundings.heartbeatMs,
    isPadded: isOfSimpleProxy(call.request),
    onClose,
    cleanUp: () => {
      clearInterval(timer);
      stopListening();
    },
  });
}

/** nginx opens a connection for each request unless it is told otherwise; browsers keep theirs. */
function isOfSimpleProxy(request: Request): boolean {
  return request.headers.get('connection')?.toLowerCase() === 'close';
}

/** The event after which to go on: what the browser sends when it reconnects, else `?after=`, else the beginning. */
export function resumeAfter(request: Request): number {
  const given = request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('after') ?? '0';
  const after = Number(given);
  return Number.isSafeInteger(after) && after >= 0 ? after : 0;
}

export function wantsEventStream(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes('text/event-stream');
}
