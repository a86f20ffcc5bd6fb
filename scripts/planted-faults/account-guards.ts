import type { Guard } from './guard.ts';

const PASSWORD_TESTS = ['lib/auth/passwords.integration.test.ts'];

/** Passwords, sign-ins and accounts: who may change which, and what ends with it. */
export const ACCOUNT_GUARDS: readonly Guard[] = [
  {
    id: 'current-password',
    guards: 'A password is changed by who knows the present one.',
    file: 'lib/auth/change-password.ts',
    find: 'if (!(await deps.passwordHasher.verify(change.currentPassword, current))) {',
    replace: 'if (current === undefined) {',
    tests: PASSWORD_TESTS,
    only: 'asks for the current password',
  },
  {
    id: 'change-signs-out',
    guards: 'A changed password signs out everywhere else.',
    file: 'lib/auth/change-password.ts',
    find: 'const signedOut = await signInSessions.revokeAllOf({ userId, except: signInSessionId });',
    replace: 'const signedOut = signInSessions && signInSessionId ? 0 : 0;',
    tests: PASSWORD_TESTS,
    only: 'changes it, signs out everywhere else',
  },
  {
    id: 'reset-link-used-once',
    guards: 'A link to a new password serves once.',
    file: 'db/stores/password-reset-store.ts',
    find: 'await transaction.delete(passwordReset).where(serving(hash)).returning(stands);',
    replace: 'await transaction.select(stands).from(passwordReset).where(serving(hash));',
    tests: PASSWORD_TESTS,
    only: 'sets a new password once',
  },
  {
    id: 'reset-link-expires',
    guards: 'A link to a new password serves for a day.',
    file: 'db/stores/password-reset-store.ts',
    find: 'and(eq(passwordReset.hash, hash), gt(passwordReset.expiresAt, clock.now()))',
    replace: 'and(eq(passwordReset.hash, hash), gt(passwordReset.expiresAt, new Date(clock.now().getTime() * 0)))',
    tests: PASSWORD_TESTS,
    only: 'is stored as a hash alone, expires',
  },
  {
    id: 'reset-rights',
    guards: 'A link to a new password is made by those who manage members.',
    file: 'lib/auth/make-reset-link.ts',
    find: "requirePermission(actor, 'member:manage');",
    replace: '',
    tests: PASSWORD_TESTS,
    only: 'is made by those who manage members',
  },
  {
    id: 'reset-above-oneself',
    guards: 'Nobody comes by more rights by way of another’s password.',
    file: 'lib/auth/make-reset-link.ts',
    find: 'requireOwnRights(actor, member.role.permissions);',
    replace: '',
    tests: PASSWORD_TESTS,
    only: 'is made by those who manage members',
  },
  {
    id: 'reset-reach',
    guards: 'An admin of one tenant does not come into another by way of a person’s password, not even later.',
    file: 'lib/auth/reset-password.ts',
    find: 'return reset.tenantId && (await reachesBeyond(stores, { userId: user.id, tenantId: reset.tenantId })) ? null : user;',
    replace: 'return reachesBeyond === null ? null : user;',
    tests: PASSWORD_TESTS,
    only: 'reaches no further than their tenant',
  },
  {
    id: 'operator-alone',
    guards: 'Accounts of the whole deployment are an operator’s to close and to look up.',
    file: 'lib/auth/require-operator.ts',
    find: 'if (account.isOperator) return;',
    replace: 'if (account.isOperator || account.userId) return;',
    tests: PASSWORD_TESTS,
    only: 'alone may do so|by an operator serves any account',
  },
];
