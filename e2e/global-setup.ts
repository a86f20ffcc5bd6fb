import type { FullConfig } from '@playwright/test';
import { startEffectsServer } from './effects-server.ts';
import { createOperator } from './workspaces.ts';

/** Before the first test, once: what counts side effects, and the operator who makes workspaces. */
export default async function globalSetup(_config: FullConfig): Promise<() => Promise<void>> {
  const effects = await startEffectsServer(Number(process.env.E2E_EFFECTS_PORT));
  await createOperator(`http://127.0.0.1:${process.env.E2E_PORT}`);
  return async () => {
    effects.closeAllConnections();
    await new Promise((resolve) => effects.close(resolve));
  };
}
