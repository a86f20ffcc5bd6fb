import { useCallback, useEffect, useReducer, useRef } from 'react';
import { toRequestFailure } from '#components/api/request.ts';
import { randomKey } from '#components/live/random-key.ts';
import type { SendMessageResult } from '#lib/conversations/contract.ts';
import { changeOutbox, type OutgoingMessage } from './outbox.ts';

interface Outbox {
  messages: readonly OutgoingMessage[];
  /** Sends a new message, or one beside an earlier one. */
  send: (text: string, beside?: OutgoingMessage['beside']) => void;
  sendAgain: (message: OutgoingMessage) => void;
  withdraw: (message: OutgoingMessage) => void;
}

/** What the server has made of a message, and which one it follows. */
type Delivered = SendMessageResult & { parentId: string | null };
type Deliverable = Pick<OutgoingMessage, 'key' | 'text' | 'beside'>;

interface OutboxOptions {
  deliver: (message: Deliverable) => Promise<Delivered>;
  onDelivered: (message: Deliverable, result: Delivered) => void;
  /** A message turns out to have arrived at an earlier attempt whose answer was lost. */
  onArrivedBefore: () => void;
}

/**
 * Messages on their way. They leave one after the other, so that they arrive in the order they were written; one that
 * could not reach the server goes again by itself when the browser is back on line.
 */
export function useOutbox(options: OutboxOptions): Outbox {
  const [messages, change] = useReducer(changeOutbox, []);
  const tail = useRef<Promise<void>>(Promise.resolve());
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const deliverNext = useCallback(async (message: Deliverable, before: Promise<void>) => {
    await before;
    try {
      latest.current.onDelivered(message, await latest.current.deliver(message));
      change({ kind: 'gone', key: message.key });
    } catch (thrown) {
      const failure = toRequestFailure(thrown);
      // What it follows may have changed since; the server knows the key all the same.
      if (failure.code === 'idempotency_mismatch') {
        change({ kind: 'gone', key: message.key });
        latest.current.onArrivedBefore();
      } else change({ kind: 'failed', key: message.key, failure });
    }
  }, []);
  const post = useCallback(
    (message: Deliverable) => {
      tail.current = deliverNext(message, tail.current);
    },
    [deliverNext],
  );
  const send = useCallback<Outbox['send']>(
    (text, beside = null) => {
      const message = { key: randomKey(), text, beside };
      change({ kind: 'queued', ...message });
      post(message);
    },
    [post],
  );
  const sendAgain = (message: OutgoingMessage) => {
    change({ kind: 'again', key: message.key });
    post(message);
  };
  useEffect(() => {
    const onOnline = () => {
      for (const message of messages) if (message.failure?.code === 'offline') sendAgain(message);
    };
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  });
  return {
    messages,
    send,
    sendAgain,
    withdraw: (message) => change({ kind: 'gone', key: message.key }),
  };
}
