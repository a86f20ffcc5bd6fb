import { MESSAGE_LIMIT_BYTES } from '#lib/conversations/contract.ts';

/** Whether a message has more bytes than the server takes. */
export function isTooLong(text: string): boolean {
  // Three bytes a UTF-16 unit is the most there can be, so short texts need no count.
  return text.length * 3 > MESSAGE_LIMIT_BYTES && new TextEncoder().encode(text).length > MESSAGE_LIMIT_BYTES;
}
