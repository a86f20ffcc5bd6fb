import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '#lib/kernel/index.ts';
import { ERROR_STATUS } from './error-status.ts';

describe('ERROR_STATUS', () => {
  it('has a status of failure for every code, and no other code', () => {
    expect(Object.keys(ERROR_STATUS).sort()).toEqual([...ERROR_CODES].sort());
    for (const status of Object.values(ERROR_STATUS)) expect(status >= 400 && status < 600).toBe(true);
  });
});
