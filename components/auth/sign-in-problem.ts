/** What went wrong with a sign-in, as far as its person may know. */
export type SignInProblem = 'wrong' | 'limited' | 'refused' | 'offline' | 'broken';

export interface SignInAnswer {
  ok?: boolean | undefined;
  status?: number | undefined;
  error?: string | null | undefined;
}

/** Reads next-auth's answer; null means signed in. Without an answer the server was not reached. */
export function signInProblem(answer: SignInAnswer | undefined): SignInProblem | null {
  if (!answer) return 'offline';
  if (answer.ok && !answer.error) return null;
  if (answer.error === 'rate_limited' || answer.status === 429) return 'limited';
  if (answer.error === 'invalid_credentials' || answer.error === 'CredentialsSignin' || answer.status === 401) return 'wrong';
  return answer.error === 'permission_denied' || answer.error === 'forbidden_origin' || answer.status === 403 ? 'refused' : 'broken';
}
