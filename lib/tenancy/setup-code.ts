import { z } from 'zod';
import type { Clock } from '#lib/kernel/index.ts';
import type { PlatformStores, PlatformUnitOfWork, SettingStore, SetupCodes } from './ports.ts';

const KEY = 'setup';
/** Every process prints a code of its own at its start; each of the newest is good until one has been used. */
const KEPT_CODES = 10;

const setupSetting = z.object({ codeHashes: z.array(z.string()), completedAt: z.string().nullable() });

/**
 * Gives the code that lets the first workspace be created from elsewhere than this machine, or null once there is an
 * operator. Only its hash is kept: show it now, in the server's log.
 */
export const issueSetupCode =
  (deps: { clock: Clock; platformUnitOfWork: PlatformUnitOfWork<PlatformStores>; setupCodes: SetupCodes }) =>
  async (): Promise<string | null> =>
    deps.platformUnitOfWork.within({}, async ({ settings, users }) => {
      await settings.lockSetup();
      if (await users.hasOperator()) return null;
      const { code, hash } = deps.setupCodes.mint();
      const kept = (await findSetupCodeHashes(settings)).slice(1 - KEPT_CODES);
      await settings.put(KEY, { codeHashes: [...kept, hash], completedAt: null });
      return code;
    });

export async function findSetupCodeHashes(settings: SettingStore): Promise<string[]> {
  const parsed = setupSetting.safeParse(await settings.find(KEY));
  return parsed.success ? parsed.data.codeHashes : [];
}

/** Used once: with the first workspace every code loses its force. */
export async function withdrawSetupCodes(settings: SettingStore, at: Date): Promise<void> {
  await settings.put(KEY, { codeHashes: [], completedAt: at.toISOString() });
}
