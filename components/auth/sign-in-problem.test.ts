import { describe, expect, it } from 'vitest';
import { signInProblem } from './sign-in-problem.ts';

describe('signInProblem', () => {
  it('has none when the answer is good', () => {
    expect(signInProblem({ ok: true, status: 200, error: null })).toBeNull();
  });
  it('does not take an answer with an error for a good one, whatever its status', () => {
    expect(signInProblem({ ok: true, status: 200, error: 'CredentialsSignin' })).toBe('wrong');
  });
  it.each([
    [{ ok: false, status: 401, error: 'invalid_credentials' }, 'wrong'],
    [{ ok: false, status: 429, error: 'rate_limited' }, 'limited'],
    [{ ok: false, status: 403, error: 'forbidden_origin' }, 'refused'],
    [{ ok: false, status: 500, error: 'internal' }, 'broken'],
    [undefined, 'offline'],
  ])('reads %j as %s', (answer, problem) => {
    expect(signInProblem(answer)).toBe(problem);
  });
});
