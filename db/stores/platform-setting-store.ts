import { eq, sql } from 'drizzle-orm';
import type { SettingStore } from '#lib/tenancy/index.ts';
import { platformSetting } from '../schema/index.ts';
import type { Transaction } from '../tenant-binding.ts';

/** Any number will do; every process that sets the deployment up takes the same. */
const SETUP_LOCK = 4_711_003;

export function bindSettingStore({ transaction }: { transaction: Transaction }): SettingStore {
  return {
    async find(key) {
      const [row] = await transaction.select({ value: platformSetting.value }).from(platformSetting).where(eq(platformSetting.key, key));
      return row?.value;
    },
    async put(key, value) {
      await transaction.insert(platformSetting).values({ key, value }).onConflictDoUpdate({ target: platformSetting.key, set: { value } });
    },
    async lockSetup() {
      await transaction.execute(sql`select pg_advisory_xact_lock(${SETUP_LOCK})`);
    },
  };
}
