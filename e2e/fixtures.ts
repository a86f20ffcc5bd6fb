import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';

export { expect } from '@playwright/test';

export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  readonly tenant: string;
}

/** The owner of the demo tenant, as the start script would print it. */
export function readDemoAccount(): DemoAccount {
  return JSON.parse(readFileSync(path.join(process.env.E2E_DATA_DIR ?? '', 'demo.json'), 'utf8'));
}

/**
 * Playwright's test, which also fails when a page throws, breaks the content security policy, or asks another host for
 * anything: no page of ours ever may.
 */
export const test = base.extend<{ demo: DemoAccount; soundPages: undefined }>({
  // Playwright reads from the pattern which fixtures this one needs: none.
  // oxlint-disable-next-line no-empty-pattern
  demo: async ({}, use) => use(readDemoAccount()),
  soundPages: [
    async ({ context, baseURL }, use) => {
      const problems: string[] = [];
      context.on('weberror', (error) => problems.push(`a page threw: ${error.error().message}`));
      context.on('console', (message) => {
        if (message.type() === 'error' && message.text().includes('Content Security Policy')) problems.push(message.text());
      });
      context.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http') && url.origin !== baseURL) problems.push(`a page asked ${url.origin}`);
      });
      await use(undefined);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});
