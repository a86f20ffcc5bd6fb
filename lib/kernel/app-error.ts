/**
 * Every code an API answer or a stored failure can carry. The HTTP status of each is decided in `lib/http/error-status.ts`
 * alone: nothing inside knows about statuses.
 */
export const ERROR_CODES = [
  'already_decided',
  'approval_denied',
  'approval_expired',
  'budget_exceeded',
  'capability_failed',
  'capability_without_handler',
  'confirmation_required',
  'conflict',
  'email_taken',
  'forbidden_address',
  'forbidden_by_policy',
  'forbidden_origin',
  'idempotency_mismatch',
  'internal',
  'invalid_arguments',
  'invalid_credentials',
  'invalid_request',
  'invalid_setup_code',
  'limit_reached',
  'last_owner',
  'malformed_json',
  'member_exists',
  'message_empty',
  'message_too_large',
  'method_not_allowed',
  'model_failed',
  'not_found',
  'payload_too_large',
  'permission_denied',
  'plugin_not_installed',
  'rate_limited',
  'rights_exceeded',
  'role_exists',
  'role_fixed',
  'role_in_use',
  'session_closed',
  'session_not_found',
  'slug_taken',
  'stale_epoch',
  'tenant_context_missing',
  'tenant_suspended',
  'timeout',
  'unauthenticated',
  'unavailable',
  'unknown_capability',
  'unknown_preset',
  'unreadable_document',
  'unsupported_media_type',
  'viewing_role',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

const BRAND = Symbol.for('bailiwick.AppError');

/**
 * A failure that a caller can act on: a stable code, a sentence for a person, and details that are safe to show.
 * Tested with `isAppError`, not `instanceof`: the server's bundles each hold a copy of this class.
 */
export class AppError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(error: { code: ErrorCode; message: string; details?: Record<string, unknown>; cause?: unknown }) {
    super(error.message, error.cause === undefined ? undefined : { cause: error.cause });
    this.name = 'AppError';
    this.code = error.code;
    this.details = error.details;
  }
}

export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** What to say about anything that was thrown, in one line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
