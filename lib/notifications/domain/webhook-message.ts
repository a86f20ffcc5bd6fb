import type { JsonObject } from '#lib/kernel/index.ts';
import { type Notice, noticePath } from './notice.ts';

/** The body that a webhook is sent: the same at every attempt. `publicUrl` is where people reach this deployment. */
export function toWebhookMessage(notice: Notice, publicUrl: URL): JsonObject {
  const { kind, createdAt, tenant, subjectId, runId, sessionId, person, call, budget } = notice;
  return {
    type: kind,
    timestamp: createdAt.toISOString(),
    data: {
      workspace: { slug: tenant.slug, name: tenant.name },
      id: subjectId,
      runId,
      sessionId,
      for: { userId: person.userId, name: person.name },
      ...(call && {
        capability: call.capabilityId,
        risk: call.risk,
        needsOther: call.needsOther,
        expiresAt: call.expiresAt.toISOString(),
      }),
      ...(budget && { budget: { ...budget } }),
      url: new URL(noticePath(notice, null), publicUrl).href,
    },
  };
}
