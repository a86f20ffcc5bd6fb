/** Why a sign-in by the provider did not come about; each has a cause and a next step in the messages. */
const PROBLEMS = [
  'provider-down',
  'stale',
  'declined',
  'unproved',
  'unverified-email',
  'other-identity',
  'operator-account',
  'disabled-account',
  'no-workspace',
  'rate-limited',
  'offline',
] as const;
export type ProviderProblem = (typeof PROBLEMS)[number];

/** Reads what the address or the API names; null for anything else. */
export function toProviderProblem(reason: string | string[] | undefined): ProviderProblem | null {
  if (reason === 'rate_limited') return 'rate-limited';
  return PROBLEMS.find((problem) => problem === reason) ?? null;
}
