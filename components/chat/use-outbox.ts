import { useEffect, useReducer, useRef } from 'react';
import { toRequestFailure } from '#components/api/request.ts';
import type { SendMessageResult } from '#lib/conversations/contract.ts';
import { changeOutbox, type OutgoingMessage } from './outbox.ts';

interface Outbox {
  messages: readonly OutgoingMessage[];
  send: (text: string) => void;
  sendAgain: (message: OutgoingMessage) => void;
  withdraw: (message: OutgoingMessage) => void;
}

interface OutboxOptions {
  deliver: (message: { key: string; text: string }) => Promise<SendMessageResult>;
  onDelivered: (message: { key: string; text: string }, result: SendMessageResult) => void;
}

/**
 * Messages on their way. They leave one after the other, so that they arrive in the order they were written; one that
 * could not reach the server goes again by itself when the browser is back on line.
 */
export function useOutbox({ deliver, onDelivered }: OutboxOptions): Outbox {
  const [messages, change] = useReducer(changeOutbox, []);
  const tail = useRef<Promise<void>>(Promise.resolve());
  const deliverNext = async (message: { key: string; text: string }, before: Promise<void>) => {
    await before;
    try {
      onDelivered(message, await deliver(message));
      change({ kind: 'gone', key: message.key });
    } catch (thrown) {
      change({ kind: 'failed', key: message.key, failure: toRequestFailure(thrown) });
    }
  };
  const post = (message: { key: string; text: string }) => {
    tail.current = deliverNext(message, tail.current);
  };
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
    send(text) {
      const message = { key: crypto.randomUUID(), text };
      change({ kind: 'queued', ...message });
      post(message);
    },
    sendAgain,
    withdraw: (message) => change({ kind: 'gone', key: message.key }),
  };
}
