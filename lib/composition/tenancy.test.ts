import { describe, expect, it } from 'vitest';
import { readConfig } from '#lib/config/index.ts';
import { isDemoWanted } from './tenancy.ts';

const decide = (environment: Record<string, string>) =>
  isDemoWanted(readConfig({ DATABASE_URL: 'postgres://u@127.0.0.1/x', BAILIWICK_SECRET: 's'.repeat(32), ...environment }));

describe('isDemoWanted', () => {
  it('is so for the embedded database on loopback, and where it was asked for', () => {
    expect(decide({ EMBEDDED_DATABASE: '1' })).toBe(true);
    expect(decide({ DEMO: '1' })).toBe(true);
    expect(decide({ DEMO: '1', HOST: '0.0.0.0' })).toBe(true);
  });

  it('is not so for a database of one’s own, for an address that others reach, and where it was declined', () => {
    expect(decide({})).toBe(false);
    expect(decide({ EMBEDDED_DATABASE: '1', HOST: '0.0.0.0' })).toBe(false);
    expect(decide({ EMBEDDED_DATABASE: '1', PUBLIC_URL: 'https://agents.example.org' })).toBe(false);
    expect(decide({ EMBEDDED_DATABASE: '1', DEMO: '0' })).toBe(false);
  });
});
