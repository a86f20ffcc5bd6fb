import path from 'node:path';
import { defineConfig } from 'vitest/config';

const alias = { 'server-only': path.resolve('lib/testing/server-only.ts') };
const INTEGRATION = '**/*.integration.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          environment: 'node',
          // Of a machine that others use as well; a test that hangs is still told from one that waits.
          testTimeout: 20_000,
          hookTimeout: 30_000,
          include: ['{app,components,db,e2e,lib,scripts}/**/*.test.ts', '*.test.ts'],
          exclude: [INTEGRATION],
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'components',
          environment: 'jsdom',
          include: ['{app,components}/**/*.test.tsx'],
          setupFiles: ['components/testing/patience.ts'],
          testTimeout: 20_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'integration',
          environment: 'node',
          include: [`{app,db,e2e,lib,scripts}/${INTEGRATION}`],
          globalSetup: ['scripts/test/integration-database.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
