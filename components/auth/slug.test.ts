import { describe, expect, it } from 'vitest';
import { slug } from '#lib/tenancy/contract.ts';
import { toSlug } from './slug.ts';

describe('toSlug', () => {
  it.each([
    ['Acme, Inc.', 'acme-inc'],
    ['  École Supérieure ', 'ecole-superieure'],
    ['北京大学 PKU 2026', 'pku-2026'],
    ['北京大学', ''],
    [`${'a'.repeat(39)}-${'b'.repeat(9)}`, 'a'.repeat(39)],
  ])('makes of %s the proposal %j', (name, proposal) => {
    expect(toSlug(name)).toBe(proposal);
  });
  it.each(['Acme, Inc.', '北京大学 PKU 2026', `${'a'.repeat(39)}-${'b'.repeat(9)}`])('makes of %s what the server takes', (name) => {
    expect(slug.safeParse(toSlug(name)).success).toBe(true);
  });
});
