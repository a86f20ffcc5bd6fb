import type { RequestFailure } from '#components/api/request.ts';

/** A message that has left the composer and is not in the transcript yet. */
export interface OutgoingMessage {
  /** Also its idempotency key, so that sending it again is safe. */
  key: string;
  text: string;
  /** The message it is written anew from, which it will stand beside; null for one that follows what is shown. */
  beside: { id: string; parentId: string | null } | null;
  failure: RequestFailure | null;
}

export type OutboxAction =
  | { kind: 'queued'; key: string; text: string; beside: OutgoingMessage['beside'] }
  | { kind: 'again'; key: string }
  | { kind: 'failed'; key: string; failure: RequestFailure }
  | { kind: 'gone'; key: string };

/** The outbox after something has happened to one of its messages. */
export function changeOutbox(outbox: readonly OutgoingMessage[], action: OutboxAction): readonly OutgoingMessage[] {
  switch (action.kind) {
    case 'queued':
      return [...outbox, { key: action.key, text: action.text, beside: action.beside, failure: null }];
    case 'again':
      return outbox.map((message) => (message.key === action.key ? { ...message, failure: null } : message));
    case 'failed':
      return outbox.map((message) => (message.key === action.key ? { ...message, failure: action.failure } : message));
    default:
      return outbox.filter(({ key }) => key !== action.key);
  }
}
