/**
 * Thrown by a handler whose call has begun something that goes on by itself: the run waits for it, holding nothing, and makes
 * the call again once it has ended. The handler then finds what it began by the call's idempotency key.
 */
export class CallMustWait extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CallMustWait';
  }
}
