import { AppError, isAppError } from '#lib/kernel/index.ts';
import { log } from '#lib/telemetry/index.ts';
import type { OidcProvider } from './oidc-client.ts';
import type { Sender, SignInLimiter } from './ports.ts';
import { type RecordDependencies, recordFailure } from './sign-in-record.ts';

/**
 * The sign-in provider, to begin a sign-in or to come back from it; ways back count with the attempts to sign in from the
 * address. Throws `rate_limited` and `unavailable`, on the record, and `not_found` where no provider is set up.
 */
export const openOidc =
  (deps: RecordDependencies & { signInLimiter: SignInLimiter; openProvider: (() => Promise<OidcProvider>) | null }) =>
  async (step: 'signin' | 'callback', sender: Sender): Promise<OidcProvider> => {
    if (!deps.openProvider) throw new AppError({ code: 'not_found', message: 'There is no sign-in provider here.' });
    try {
      if (step === 'callback') await deps.signInLimiter.consumeOf(sender.ip);
      return await deps.openProvider();
    } catch (error) {
      const reason = isAppError(error) && error.code === 'rate_limited' ? 'rate-limited' : 'provider-down';
      if (reason === 'provider-down') log.warn({ err: error }, 'the sign-in provider cannot be reached');
      await recordFailure(deps, { userId: null, email: '', reason, sender });
      throw error;
    }
  };
