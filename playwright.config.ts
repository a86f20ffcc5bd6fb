import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { findFreePort } from './scripts/free-port.ts';
import { findChromium } from './scripts/test/chromium.ts';

// Every worker reads this file again: what is chosen here is chosen once.
process.env.E2E_PORT ??= String(await findFreePort());
process.env.E2E_EFFECTS_PORT ??= String(await findFreePort());
process.env.E2E_DATA_DIR ??= path.join(tmpdir(), `bailiwick-e2e-${process.pid}`);

const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`;
process.env.E2E_NOTES_FILE ??= path.join(tmpdir(), `bailiwick-e2e-notes-${process.pid}.txt`);

/** Local MCP servers that workspaces may use: the protocol's own example, and one whose tool can be told to change. */
const MCP_PROGRAMS = {
  everything: {
    title: 'Everything',
    command: [process.execPath, path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  },
  notes: {
    title: 'Notes',
    command: [process.execPath, path.resolve('e2e/fixtures/notes-mcp-server.mjs')],
    environment: { NOTES_FILE: process.env.E2E_NOTES_FILE },
  },
};

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: process.env.E2E_REPORT ? [['list'], ['json', { outputFile: process.env.E2E_REPORT }]] : [['list']],
  use: {
    baseURL,
    locale: 'en-US',
    timezoneId: 'UTC',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
      ],
    },
  },
  webServer: {
    // The product as its users start it, on a database of its own, whatever the developer's own settings say.
    command: 'exec node scripts/start.mjs',
    url: `${baseURL}/api/healthz`,
    timeout: 300_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
    env: {
      DATA_DIR: process.env.E2E_DATA_DIR,
      HOST: '127.0.0.1',
      PORT: process.env.E2E_PORT,
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      PUBLIC_URL: '',
      BAILIWICK_SECRET: '',
      DEMO: '',
      ROLE: '',
      TEST_EFFECTS_URL: `http://127.0.0.1:${process.env.E2E_EFFECTS_PORT}/`,
      MCP_PROGRAMS: JSON.stringify(MCP_PROGRAMS),
      // Clocks in small, so that silence and time limits can be waited for.
      HEARTBEAT_MS: '1000',
      RECONCILE_TICK_MS: '1000',
      REVEAL_LASTS_MS: '10000',
      SIGN_IN_ATTEMPTS: '1000',
      REQUESTS_PER_USER: '0',
      REQUESTS_PER_KEY: '0',
      REQUESTS_PER_TENANT: '0',
    },
  },
});
