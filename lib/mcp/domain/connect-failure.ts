import type { HandshakeStep } from './server.ts';

/** A connection that did not come about: how far it got, and whether a sign-in would help. */
export class McpConnectFailure extends Error {
  readonly steps: readonly HandshakeStep[];
  readonly isUnauthorized: boolean;
  readonly stderr: string;

  constructor(failure: {
    message: string;
    steps: readonly HandshakeStep[];
    isUnauthorized?: boolean;
    stderr?: string;
    cause?: unknown;
  }) {
    super(failure.message, { cause: failure.cause });
    this.name = 'McpConnectFailure';
    this.steps = failure.steps;
    this.isUnauthorized = failure.isUnauthorized ?? false;
    this.stderr = failure.stderr ?? '';
  }
}

/** The server no longer knows the session, or the connection is gone: this one is of no more use (known fault K9). */
export class McpSessionLost extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'McpSessionLost';
  }
}
