import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, test as base, expect } from '@playwright/test';
import type postgres from 'postgres';
import { openOwnerDatabase } from './owner-database.ts';
import type { TenantClient } from './tenant-client.ts';
import { createWorkspace, type Workspace } from './workspaces.ts';

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

interface TestFixtures {
  demo: DemoAccount;
  /** Makes the browser that of whoever the client asks as. */
  openAs: (api: TenantClient) => Promise<void>;
  /** Origins besides ours that this test means pages to go to: the ones of programs that wait for an answer. */
  awaitedOrigins: Set<string>;
  soundPages: undefined;
}

interface WorkerFixtures {
  origin: string;
  /** A tenant that this worker's tests share. */
  workspace: Workspace;
  /** The database as its superuser sees it. */
  database: postgres.Sql;
}

/**
 * Playwright's test, which also fails when a page throws, breaks the content security policy, or asks another host for
 * anything: no page of ours ever may.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // Playwright reads from the pattern which fixtures a fixture needs: none.
  // oxlint-disable-next-line no-empty-pattern
  origin: [async ({}, use) => use(`http://127.0.0.1:${process.env.E2E_PORT}`), { scope: 'worker' }],
  workspace: [async ({ origin }, use) => use(await createWorkspace(origin)), { scope: 'worker' }],
  database: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const sql = openOwnerDatabase();
      await use(sql);
      await sql.end();
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern
  demo: async ({}, use) => use(readDemoAccount()),
  openAs: async ({ context }, use) => use((api) => signBrowserIn(context, api)),
  // oxlint-disable-next-line no-empty-pattern
  awaitedOrigins: async ({}, use) => use(new Set()),
  soundPages: [
    async ({ context, baseURL, awaitedOrigins }, use) => {
      const problems: string[] = [];
      context.on('weberror', (error) => problems.push(`a page threw: ${error.error().message}`));
      context.on('console', (message) => {
        if (message.type() === 'error' && message.text().includes('Content Security Policy')) problems.push(message.text());
      });
      context.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http') && url.origin !== baseURL && !awaitedOrigins.has(url.origin))
          problems.push(`a page asked ${url.origin}`);
      });
      await use(undefined);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

/** Gives a browser the cookies of a client that has signed in, so that a test of something else needs no form. */
export async function signBrowserIn(context: BrowserContext, api: TenantClient): Promise<void> {
  const cookies = (api.identity.cookie ?? '').split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: api.origin };
  });
  await context.addCookies(cookies);
}
