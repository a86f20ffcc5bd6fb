import { and, eq, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { KEYED_CALL_HOURS, type KeyedCallStore } from '#lib/capabilities/index.ts';
import { toUuid } from '#lib/kernel/index.ts';
import { keyedCall } from '../schema/index.ts';
import type { TenantBinding } from '../tenant-binding.ts';

const state = z.enum(['EXECUTING', 'SUCCEEDED', 'FAILED']);
const result = z.object({ output: z.record(z.string(), z.json()), text: z.string() }).nullable();

/** Old ones that leave with each new one: they go as fast as they come, and nobody waits for many. */
const SWEPT_AT_ONCE = 20;

const isKept = gt(keyedCall.beganAt, sql`now() - make_interval(hours => ${KEYED_CALL_HOURS})`);

export function bindKeyedCallStore({ transaction, scope: { tenantId } }: TenantBinding): KeyedCallStore {
  return {
    async find({ caller, key }) {
      const [row] = await transaction
        .select()
        .from(keyedCall)
        .where(and(eq(keyedCall.tenantId, tenantId), eq(keyedCall.caller, caller), eq(keyedCall.key, key), isKept));
      if (!row) return null;
      return {
        capabilityId: row.capabilityId,
        argumentsHash: row.argumentsHash,
        state: state.parse(row.state),
        result: result.parse(row.result),
      };
    },

    async begin({ caller, key }, { invocationId, capabilityId, argumentsHash, mayRepeat }) {
      const tenant = toUuid(tenantId);
      await transaction.execute(sql`
        delete from keyed_call where tenant_id = ${tenant} and (caller, key) in (
          select old.caller, old.key from keyed_call old
          where old.tenant_id = ${tenant} and old.began_at < now() - make_interval(hours => ${KEYED_CALL_HOURS})
          order by old.began_at limit ${SWEPT_AT_ONCE} for update skip locked)`);
      const row = { invocationId, capabilityId, argumentsHash, state: 'EXECUTING', result: null, beganAt: sql`now()` };
      const written = await transaction
        .insert(keyedCall)
        .values({ tenantId, caller, key, ...row })
        .onConflictDoUpdate({
          target: [keyedCall.tenantId, keyedCall.caller, keyedCall.key],
          set: row,
          // One that began meanwhile is somebody else's, and what has succeeded is not made again.
          setWhere: sql`not ${isKept} or ${keyedCall.state} = 'FAILED' or (${keyedCall.state} = 'EXECUTING' and (${mayRepeat}::boolean or ${keyedCall.invocationId} = excluded.invocation_id))`,
        })
        .returning({ key: keyedCall.key });
      return written.length > 0;
    },

    async end({ caller, key }, { invocationId, result: answered }) {
      await transaction
        .update(keyedCall)
        .set({ state: answered ? 'SUCCEEDED' : 'FAILED', result: answered })
        .where(
          and(
            eq(keyedCall.tenantId, tenantId),
            eq(keyedCall.caller, caller),
            eq(keyedCall.key, key),
            eq(keyedCall.invocationId, invocationId),
          ),
        );
    },
  };
}
